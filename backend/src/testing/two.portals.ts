import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts';
import { signedMessage } from './signed.message.js';
import { SignedUp, signUp } from './sign.up.js';
import { freePort, startTestApp, TestApp } from './test.app.js';

export interface TwoPortals {
  /** Keeps the accounts, and is itself a portal. */
  service: TestApp;
  /** Signs in at `service`. */
  other: TestApp;
  close(): Promise<void>;
}

/** Where a test of both forms of a service runs: embedded in one portal, or in another one. */
export interface ServiceStage {
  /** The portal that a developer uses. */
  portal: TestApp;
  /** The instance that has the data: the portal itself, or another one on another port. */
  service: TestApp;
  close(): Promise<void>;
}

/** A portal with all services embedded. */
export async function startEmbedded(): Promise<ServiceStage> {
  const portal = await startTestApp();
  return { portal, service: portal, close: () => portal.close() };
}

/** Ends the portal before the service that it uses. */
export const stageOf = (portal: TestApp, service: TestApp): ServiceStage => ({
  portal,
  service,
  close: async () => {
    await portal.close();
    await service.close();
  },
});

/** A portal whose identity service is another portal, on two ports. `variables` are those of the service. */
export async function startTwoPortals(variables: Record<string, string> = {}): Promise<TwoPortals> {
  const port = await freePort();
  const service = await startTestApp({
    IDENTITY_CALLBACKS: `http://localhost:${port}/auth/callback`,
    ...variables,
  });
  const other = await startTestApp({ PORT: String(port), IDENTITY_URL: service.url });
  return {
    service,
    other,
    close: async () => {
      await other.close();
      await service.close();
    },
  };
}

/** The requests of a browser that shows a page of this origin: each one has the `Origin` header (Fetch standard). */
export const fromPageOf = (origin: string, { call }: Pick<TestApp, 'call'>): Pick<TestApp, 'call'> => ({
  call: (method, path, options = {}) =>
    call(method, path, { ...options, headers: { origin, ...options.headers } }),
});

/** Registers an account at the service, on a page of the other portal. */
export const signUpAtOther = ({ service, other }: TwoPortals): Promise<SignedUp> =>
  signUp(fromPageOf(other.url, service));

/** Signs in at the service with a wallet that signs for a page of `portal`. */
export async function signInWithWallet(
  service: Pick<TestApp, 'call'>,
  portal: Pick<TestApp, 'url'>,
  wallet = privateKeyToAccount(generatePrivateKey()),
): Promise<Omit<SignedUp, 'email'>> {
  const signed = await signedMessage({ call: service.call, url: portal.url }, wallet);
  const { status, text, body } = await service.call('POST', '/api/v1/message/verify', { body: signed });
  if (status !== 200) throw new Error(`signing in with a wallet answered ${status}: ${text}`);
  return { token: body.token.accessToken, refreshToken: body.token.refreshToken, userId: body.user.id };
}
