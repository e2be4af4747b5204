import { pageStorage } from '@orange-id/contract/page.storage';
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { Config } from 'wagmi';
import { providerAddress, webAddress, type PassportSettings, type WidgetInfo } from './identity.addresses';
import { createIdentityClient } from './identity.client';
import { LoginError } from './login.failure';
import {
  InternalsContext,
  markThisTab,
  PassportContext,
  type Passport,
  type PassportInternals,
} from './passport.context';
import { createSessionStore, type SessionStore } from './session.store';
import { createWalletConfig } from './wallet.config';
import { widgetAddress } from './widget.address';

export interface BedrockPassportProviderProps extends PassportSettings {
  children?: ReactNode;
  appName?: string;
  /** The id of a WalletConnect project; without one only the wallets of this browser are offered. */
  walletConnectId?: string;
}

/**
 * One session store per page, and one wallet configuration per WalletConnect project: wallet discovery and storage
 * listeners cannot be removed when a provider unmounts.
 */
const page: { wallets: Map<string, Config>; session?: SessionStore } = { wallets: new Map() };
function pageWallets(projectId = ''): Config {
  // Without its own URL the widget could not load the pairing library.
  const pairing = projectId && widgetAddress ? { projectId, page: window.location } : null;
  const wallets = page.wallets.get(projectId) ?? createWalletConfig(pairing);
  page.wallets.set(projectId, wallets);
  return wallets;
}
const pageSession = (): SessionStore =>
  (page.session ??= createSessionStore(pageStorage(window, 'localStorage'), window));

const isRefused = (error: unknown): boolean =>
  error instanceof LoginError && (error.failure.status === 401 || error.failure.status === 403);

/** Provides the page's components with the passport: the user, and the calls to the identity service at `baseUrl`. */
export function BedrockPassportProvider(props: BedrockPassportProviderProps) {
  const { children, baseUrl, authCallbackUrl, tenantId, subscriptionKey, appName, walletConnectId } = props;
  const internals = useMemo((): PassportInternals => {
    const settings = { baseUrl, authCallbackUrl, tenantId, subscriptionKey, appName };
    return {
      settings,
      client: createIdentityClient(settings),
      wallets: pageWallets(walletConnectId),
      readToken: () => pageSession().read().tokens?.accessToken ?? null,
    };
  }, [baseUrl, authCallbackUrl, tenantId, subscriptionKey, appName, walletConnectId]);
  const { client, settings } = internals;
  const session = pageSession();
  const { tokens, user } = useSyncExternalStore(session.subscribe, session.read);
  const accessToken = tokens?.accessToken ?? null;
  const [askedFor, setAskedFor] = useState<string | null | undefined>(undefined);
  const [widget, setWidget] = useState<WidgetInfo | null>(null);

  useEffect(() => {
    const stop = new AbortController();
    client.getWidget(stop.signal).then(
      ({ text, url }) => {
        const address = webAddress(url);
        if (address) setWidget({ text, url: address });
      },
      (error: unknown) => ignoreRefusal(error, stop.signal),
    );
    return () => stop.abort();
  }, [client]);

  useEffect(() => {
    if (askedFor === accessToken) return;
    const stop = new AbortController();
    const asked = accessToken === null ? Promise.resolve(null) : client.getUser(accessToken, stop.signal);
    asked.then(
      (found) => {
        if (found) session.keepUser(found);
        setAskedFor(accessToken);
      },
      (error: unknown) => {
        ignoreRefusal(error, stop.signal);
        if (stop.signal.aborted) return;
        if (isRefused(error) && session.read().tokens?.accessToken === accessToken) session.end();
        setAskedFor(accessToken);
      },
    );
    return () => stop.abort();
  }, [client, session, accessToken, askedFor]);

  const acts = useMemo((): Pick<
    Passport,
    'signIn' | 'registerEmail' | 'loginCallback' | 'signOut' | 'getNonce' | 'verifyNonce'
  > => {
    async function loginCallback(newToken: string, refreshToken: string): Promise<boolean> {
      if (!newToken || !refreshToken) return false;
      try {
        const found = await client.getUser(newToken);
        setAskedFor(newToken);
        session.begin({ accessToken: newToken, refreshToken }, found);
        return true;
      } catch (error) {
        if (error instanceof LoginError) return false;
        throw error;
      }
    }

    return {
      loginCallback,
      async signIn(provider, credentials) {
        if (provider !== 'EMAIL') {
          window.location.assign(providerAddress(settings, provider, markThisTab()));
          return undefined;
        }
        if (!credentials) throw new Error('signIn("EMAIL") needs { email, password }');
        const result = await client.logIn(credentials.email, credentials.password);
        await loginCallback(result.token.accessToken, result.token.refreshToken);
        return result;
      },
      registerEmail: (email, password, passwordConfirm) => client.register(email, password, passwordConfirm),
      async signOut() {
        const token = session.read().tokens?.accessToken;
        try {
          if (token) await client.logout(token);
        } catch (error) {
          // If the service no longer knows the token, the session is already over.
          if (!isRefused(error)) throw error;
        } finally {
          session.end();
        }
      },
      getNonce: () => client.getNonce(),
      verifyNonce: (message, signature) => client.verify({ message, signature }),
    };
  }, [client, settings, session]);

  const passport = useMemo(
    (): Passport => ({
      ...acts,
      user: (tokens && user) ?? undefined,
      accessToken: accessToken ?? undefined,
      isLoggedIn: accessToken !== null,
      isReady: askedFor === accessToken,
      widgetText: widget?.text,
      widgetUrl: widget?.url,
    }),
    [acts, tokens, user, accessToken, askedFor, widget],
  );

  return (
    <InternalsContext value={internals}>
      <PassportContext value={passport}>{children}</PassportContext>
    </InternalsContext>
  );
}

/** Ignores failures of the service and aborted requests; any other error is a defect and is thrown. */
function ignoreRefusal(error: unknown, signal: AbortSignal): void {
  if (!signal.aborted && !(error instanceof LoginError)) throw error;
}
