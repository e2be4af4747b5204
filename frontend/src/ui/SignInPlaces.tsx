import { useConfig } from '../api/config/config.context';
import { servesTenants } from '../api/config/serves.tenants';

/** On which sites the users of an app can sign in, or who decides that in place of this portal. */
export function SignInPlaces() {
  const config = useConfig();
  const { identity, publicUrl } = config;
  if (servesTenants(config)) {
    return <>Users can sign in on the project’s allowed URLs, and on localhost with any port.</>;
  }
  if (identity.baseUrl === publicUrl) {
    return <>Another service manages the projects of this portal, so their apps can’t sign in with it.</>;
  }
  return <>{new URL(identity.baseUrl).host} manages the apps that can sign in, not this portal.</>;
}
