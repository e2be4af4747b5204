import { browserStorage } from '@orange-id/contract/page.storage';
import { signInByPopup } from '@orange-id/contract/sign-in.popup';
import type { PanelLook } from '@orange-id/contract/appearance.schema';
import type { SignInMethodName } from '@orange-id/contract/sign-in.methods';
import { captureCallback, returnAddress } from './callback.capture';
import { loaderError } from './loader.error';
import { mountPanel, type Shown } from './mount.panel';
import type { OrangeId, OrangeIdError, OrangeIdEvents, OrangeIdUser } from './orange-id.types';
import { wear } from './panel.style';
import { createPortalClient, SessionEnded, unreachable } from './portal.client';
import { createSessionStore, isFresh, type StoredTokens } from './session.store';

export interface LoaderSettings {
  /** The portal's origin. */
  portal: string;
  projectId: string;
  /** Where a sign-in in the same tab returns to, instead of this page. */
  callback?: string | null;
}

/** How long a tab waits for another one that renews the token. */
const lockTimeoutMs = 10_000;

type Handlers = { [Name in keyof OrangeIdEvents]: Set<(value: OrangeIdEvents[Name]) => void> };

/** The `OrangeID` of a page. Takes the tokens of a returning sign-in from the page's URL at once. */
export function createOrangeId({ portal, projectId, callback }: LoaderSettings, page: Window): OrangeId {
  const client = createPortalClient(portal, projectId);
  const store = createSessionStore(projectId, browserStorage(page, 'localStorage'));
  const handlers: Handlers = { signin: new Set(), signout: new Set(), error: new Set() };
  const views = new Set<() => void>();
  let shown: Shown;
  /** The refresh token of the person shown, to notice another person's session. */
  let shownSession: string | undefined;
  let missed: OrangeIdError | null = null;
  let renewal: Promise<string | null> | null = null;
  let look: Promise<PanelLook> | null = null;
  let refusal: OrangeIdError | null = null;

  function emit<Name extends keyof OrangeIdEvents>(name: Name, value: OrangeIdEvents[Name]): void {
    for (const handler of handlers[name]) handler(value);
  }
  function report(error: unknown): void {
    if (handlers.error.size === 0) missed = error as OrangeIdError;
    emit('error', error as OrangeIdError);
  }
  function show(user: OrangeIdUser | null): void {
    const before = shown;
    shown = user;
    for (const render of views) render();
    if (user && user.id !== before?.id) emit('signin', user);
    if (!user && before) emit('signout', undefined);
  }

  /** Renews the access token; one tab at a time, and the others take its result. */
  async function renew(stale: string): Promise<string | null> {
    const tokens = store.read();
    if (!tokens) return null;
    if (tokens.accessToken !== stale && isFresh(tokens.accessToken, Date.now())) return tokens.accessToken;
    try {
      const accessToken = await client.refresh(tokens.refreshToken);
      // Somebody may have signed out or in while the request was on its way.
      if (store.read()?.refreshToken === tokens.refreshToken) store.write({ ...tokens, accessToken });
      return accessToken;
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error;
      end(tokens);
      return null;
    }
  }
  function renewOnce(stale: string): Promise<string | null> {
    const locked = (): Promise<string | null> => {
      const { locks } = page.navigator as { locks?: LockManager };
      // Only secure contexts have locks. Without one, two tabs may renew at once, which the portal allows.
      if (!locks) return renew(stale);
      const signal = AbortSignal.timeout(lockTimeoutMs);
      return locks
        .request(store.key, { signal }, () => renew(stale))
        .catch((error: unknown) => {
          if (signal.aborted && error === signal.reason) return renew(stale);
          throw error;
        });
    };
    return (renewal ??= locked().finally(() => (renewal = null)));
  }

  /** Forgets a session, unless another one has begun. */
  function end(tokens: StoredTokens): void {
    if (store.read()?.refreshToken !== tokens.refreshToken) return;
    store.clear();
    show(null);
  }

  async function getAccessToken(): Promise<string | null> {
    const tokens = store.read();
    if (!tokens || isFresh(tokens.accessToken, Date.now())) return tokens?.accessToken ?? null;
    return renewOnce(tokens.accessToken);
  }

  async function getUser(): Promise<OrangeIdUser | null> {
    for (const isLast of [false, true]) {
      const token = await getAccessToken();
      const tokens = store.read();
      if (!token || !tokens) break;
      try {
        const user = await client.getUser(token);
        shownSession = tokens.refreshToken;
        show(user);
        return user;
      } catch (error) {
        if (!(error instanceof SessionEnded)) throw error;
        // By this device's clock the token may still be valid.
        if (isLast) end(tokens);
        else await renewOnce(token);
      }
    }
    show(null);
    return null;
  }

  async function begin(tokens: StoredTokens): Promise<OrangeIdUser> {
    store.write(tokens);
    const user = await getUser();
    if (!user) throw loaderError('refused', `${portal} ended this session at once. Sign in again.`);
    return user;
  }

  /** Opens the window before anything asynchronous. */
  function signIn({ method }: { method?: SignInMethodName } = {}): Promise<OrangeIdUser> {
    if (refusal) return Promise.reject(refusal);
    // A window without a connection shows the browser's own error. A portal on this computer needs none.
    const isOnline = page.navigator.onLine || portal.includes('//localhost');
    if (!isOnline) return Promise.reject(unreachable(portal));
    const request = { portal, projectId, callback: returnAddress(page, callback), method };
    const outcome = signInByPopup(request, page);
    if (!outcome) return new Promise(() => undefined);
    return outcome.then((tokens) => {
      if (!tokens) throw loaderError('cancelled', 'The sign-in was cancelled.');
      return begin({ accessToken: tokens.token, refreshToken: tokens.refreshToken });
    });
  }

  async function signOut(): Promise<void> {
    const tokens = store.read();
    if (!tokens) return;
    try {
      const token = await getAccessToken();
      if (token) await client.logOut(token);
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error;
    } finally {
      end(tokens);
    }
  }

  const api: OrangeId = {
    signIn,
    signOut,
    getUser,
    getAccessToken,
    mount(target, { as = 'button' } = {}) {
      const element = typeof target === 'string' ? page.document.querySelector(target) : target;
      if (!element) throw new Error(`OrangeID.mount found no element ${String(target)}`);
      return mountPanel(element, as, {
        read: () => shown,
        portal,
        // Asks only once for each page.
        getLook: (isAgain) => {
          if (isAgain) look = refusal = null;
          return (look ??= client.getLook().then(wear, (error: OrangeIdError) => {
            if (error.code !== 'unreachable') refusal = error;
            throw error;
          }));
        },
        signIn,
        signOut,
        report,
        watch(render) {
          views.add(render);
          return () => views.delete(render);
        },
      });
    },
    on(name, handler) {
      handlers[name].add(handler);
      const earlier = { signin: shown, error: missed, signout: null }[name];
      if (name === 'error') missed = null;
      if (earlier) queueMicrotask(() => (handler as (value: object) => void)(earlier));
      return () => void handlers[name].delete(handler);
    },
  };

  page.addEventListener('storage', ({ key }) => {
    if (key !== null && key !== store.key) return;
    const tokens = store.read();
    if (!tokens) show(null);
    else if (tokens.refreshToken !== shownSession) getUser().catch(report);
  });

  wear({ style: '' });
  const arrived = captureCallback(page);
  if (arrived instanceof Error) report(arrived);
  const opened = arrived && !(arrived instanceof Error) ? begin(arrived) : getUser();
  // The URL is the one that the tab left; what the server returned is for the callback, without its query.
  if (arrived && page.location.search) page.location.reload();
  opened.catch((error: unknown) => {
    report(error);
    shown ??= null;
    for (const render of views) render();
  });
  return api;
}
