import { useConfig } from '../config/config.context';

/** Whether this portal sends mail about the community; one with a hosted identity service doesn't. */
export function useSendsMail(): boolean {
  const { identity } = useConfig();
  return new URL(identity.baseUrl).origin === window.location.origin;
}
