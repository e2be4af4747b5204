import { limits } from '@orange-id/contract/limits';
import { isTokenExpired } from '@orange-id/contract/token.rule';
import { assign, fromPromise, setup } from 'xstate';
import type { SessionTokens } from '../../api/token.storage';
import { areSameTokens, expiresAt, isCheckDue, isRenewalOf, sliceOf } from './session.rules';

export type SessionEvent =
  | { type: 'storage.changed'; tokens: SessionTokens }
  | { type: 'user.refused' }
  | { type: 'session.extend' }
  | { type: 'session.end' };

/** `now` answers milliseconds since the epoch. */
type SessionContext = SessionTokens & { now: () => number; hasExtendFailed: boolean };

const nothing: SessionTokens = { accessToken: null, refreshToken: null };
const incoming = (event: SessionEvent) => (event.type === 'storage.changed' ? event.tokens : nothing);

/** What the session may know, ask and do; everything that touches the world is given by `provide`. */
export const sessionSetup = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    input: {} as { tokens: SessionTokens; now: () => number },
  },
  actors: {
    loadUser: fromPromise<'loaded' | 'refused', { accessToken: string | null }>(() => {
      throw new Error('session: loadUser is not provided');
    }),
    extendSession: fromPromise<string, SessionTokens>(() => {
      throw new Error('session: extendSession is not provided');
    }),
    signOutPassport: fromPromise<void, { accessToken: string | null }>(() => {
      throw new Error('session: signOutPassport is not provided');
    }),
  },
  actions: {
    takeTokens: assign(({ event }) => ({ ...incoming(event), hasExtendFailed: false })),
    forgetTokens: assign({ ...nothing, hasExtendFailed: false }),
    storeAccessToken: (_, _params: { accessToken: string }) => {},
    warnSignOut: (_, _params: { error: unknown }) => {},
    clearStorage: () => {},
    dropTokens: () => {},
    clearCache: () => {},
    goToLogin: () => {},
    tellExpired: () => {},
    tellSignedOut: () => {},
  },
  guards: {
    hasToken: ({ context }) => context.accessToken !== null,
    hasRefreshToken: ({ context }) => context.refreshToken !== null,
    hasExpired: ({ context }) => isTokenExpired(context.accessToken, context.now()),
    isTokenValid: ({ context }) => !isTokenExpired(context.accessToken, context.now()),
    isExpiryNear: ({ context }) => isCheckDue(context.accessToken, context.now()),
    isRefused: (_, outcome: 'loaded' | 'refused') => outcome === 'refused',
    isUnchanged: ({ context, event }) =>
      areSameTokens(context, incoming(event)) && !isTokenExpired(context.accessToken, context.now()),
    isRenewal: ({ context, event }) => isRenewalOf(context, incoming(event), context.now()),
    isIncomingValid: ({ context, event }) => !isTokenExpired(incoming(event).accessToken, context.now()),
    isIncomingStored: ({ event }) => incoming(event).accessToken !== null,
  },
  delays: {
    loadingGuard: limits.loadingGuardMs,
    /** A passport that does not answer may not hold back a sign-out. */
    signOutGuard: 5_000,
    expiryCheck: ({ context }) =>
      sliceOf(expiresAt(context.accessToken) - limits.expiryCheckBeforeMs - context.now()),
    expiry: ({ context }) => sliceOf(expiresAt(context.accessToken) - context.now()),
  },
});
