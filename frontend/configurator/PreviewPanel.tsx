import type { Appearance } from '@orange-id/contract/appearance';
import { useMemo } from 'react';
import { createConfig, http } from 'wagmi';
import { mainnet } from 'wagmi/chains';
import type { IdentityClient } from '../widget/identity.client';
import { LoginError } from '../widget/login.failure';
import type { ColorScheme } from '../widget/color.scheme';
import { LoginPanel } from '../widget/LoginPanel';
import { InternalsContext, PassportContext, type Passport } from '../widget/passport.context';
import type { LoginEvent } from '../widget/login.types';

export const previewStates = ['choice', 'email', 'wallet', 'error', 'busy'] as const;
export type PreviewState = (typeof previewStates)[number];

const submit = {
  type: 'email.submit',
  email: 'ada@example.com',
  password: 'password',
  passwordConfirm: '',
} as const;
const eventsOf: Record<PreviewState, LoginEvent[]> = {
  choice: [],
  email: [{ type: 'email.choose' }],
  wallet: [{ type: 'wallet.choose' }],
  error: [{ type: 'email.choose' }, submit],
  busy: [{ type: 'email.choose' }, submit],
};

/** No wallet is looked for, and nothing is stored: the frame has no storage. */
const wallets = createConfig({
  chains: [mainnet],
  connectors: [],
  storage: null,
  multiInjectedProviderDiscovery: false,
  transports: { [mainnet.id]: http('about:blank') },
});

const passport = { isLoggedIn: false, isReady: true } as Passport;
const never = () => new Promise<never>(() => undefined);
const refuse = () => Promise.reject(new LoginError({ code: 'credentialsInvalid' }));

/** A client that requests nothing. */
const clientOf = (state: PreviewState): IdentityClient =>
  new Proxy({} as IdentityClient, {
    get: (_, name) => (state === 'error' && name === 'logIn' ? refuse : never),
  });

/** Where the picture beside the widget goes, until there is one. */
const placeholder = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 500"><rect width="400" height="500" fill="#a59c92"/><path d="M120 320l60-80 45 55 30-35 45 60z" fill="#fff" opacity=".7"/><circle cx="255" cy="205" r="20" fill="#fff" opacity=".7"/></svg>',
)}`;

/** The real login widget in one of its states; it can't be used. */
export function PreviewPanel({
  look,
  scheme,
  state,
  appName,
}: {
  look: Appearance;
  scheme: ColorScheme;
  state: PreviewState;
  appName: string;
}) {
  const internals = useMemo(
    () => ({
      settings: { baseUrl: new URL(window.location.href).origin, authCallbackUrl: 'about:blank', appName },
      client: clientOf(state),
      wallets,
      readToken: () => null,
    }),
    [state, appName],
  );
  const appearance = useMemo(
    () => ({ ...look, picture: look.picture || placeholder, mode: scheme }),
    [look, scheme],
  );
  return (
    <div className="panel" inert>
      <PassportContext.Provider value={passport}>
        <InternalsContext.Provider value={internals}>
          <LoginPanel key={state} appearance={appearance} previewEvents={eventsOf[state]} />
        </InternalsContext.Provider>
      </PassportContext.Provider>
    </div>
  );
}
