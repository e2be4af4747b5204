/** The sign-in methods of Orange ID. */
export type OrangeIdMethod = 'email' | 'wallet' | 'google' | 'apple';

/** The signed-in person, as far as they let this project see. `id` never changes and belongs to this project alone. */
export interface OrangeIdUser {
  id: string;
  provider?: string | null;
  displayName?: string | null;
  picture?: string | null;
  email?: string | null;
  emailVerified?: boolean;
  ethAddress?: string | null;
}

/**
 * - `originNotAllowed`: the project doesn't allow this page's origin; the message names it.
 * - `cancelled`: the person cancelled or closed the sign-in window.
 * - `unexpectedTokens`: the page's URL had tokens of a sign-in that this tab didn't start; they were dropped.
 * - `unreachable`: the portal didn't respond within 10 s.
 * - `refused`: the portal refused the request; the message says why.
 */
export type OrangeIdErrorCode =
  'originNotAllowed' | 'cancelled' | 'unexpectedTokens' | 'unreachable' | 'refused';

export interface OrangeIdError extends Error {
  code: OrangeIdErrorCode;
}

export interface OrangeIdEvents {
  /** Somebody is signed in: after a sign-in here or in another tab, and when a page opens with a stored session. */
  signin: OrangeIdUser;
  /** Nobody is signed in any more: signed out here or in another tab, or the session has ended. */
  signout: undefined;
  /** A sign-in failed that no promise reports: one begun by a mounted button, or one that returned to this page. */
  error: OrangeIdError;
}

/** The global `OrangeID` of `<script src="…/widget/orange-id.js" data-project="orange-…">`. */
export interface OrangeId {
  /**
   * Opens the sign-in window, or the sign-in page in this tab if the browser blocks windows. Call it in the handler of
   * a click. Rejects with an `OrangeIdError`. In the same tab the promise stays pending, because the page leaves; when
   * the person returns, `signin` is emitted.
   */
  signIn(options?: { method?: OrangeIdMethod }): Promise<OrangeIdUser>;
  /** Ends the session here and on the portal. */
  signOut(): Promise<void>;
  /** The signed-in person, read from the portal; `null` if nobody is signed in. */
  getUser(): Promise<OrangeIdUser | null>;
  /** An access token that is valid for at least a minute, renewed if necessary; `null` if nobody is signed in. */
  getAccessToken(): Promise<string | null>;
  /**
   * Shows a button or the panel of all sign-in methods in an element (or the first that matches a selector); returns
   * a function that removes it. Elements with `data-orange-id="button"` or `"panel"` in the page need no call.
   */
  mount(element: Element | string, options?: { as?: 'button' | 'panel' }): () => void;
  /**
   * Calls `handler` at each event, and soon after `on` if somebody is already signed in, or an error happened before
   * any handler for errors was added. Returns a function that removes the handler.
   */
  on<Name extends keyof OrangeIdEvents>(
    name: Name,
    handler: (value: OrangeIdEvents[Name]) => void,
  ): () => void;
}

declare global {
  interface Window {
    OrangeID: OrangeId;
  }
  const OrangeID: OrangeId;
}
