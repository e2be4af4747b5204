import { limits } from '@orange-id/contract/limits';
import { isTokenExpired } from '@orange-id/contract/token.rule';
import { assign, fromPromise, raise, setup } from 'xstate';
import type { SessionTokens } from '../../api/token.storage';
import { areSameTokens, expiresAt, isCheckDue, isRenewalOf, isSuccessorOf, sliceOf } from './session.rules';

export type SessionEvent =
  | { type: 'storage.changed'; tokens: SessionTokens }
  | { type: 'user.refused' }
  | { type: 'session.extend' }
  | { type: 'session.end' };

/** What a session asks of the world at a decision; `now` answers milliseconds since the epoch. */
export interface SessionSenses {
  readTokens: () => SessionTokens;
  now: () => number;
}
type SessionContext = SessionTokens &
  SessionSenses & {
    hasExtendFailed: boolean;
    /** The last session ended without a sign-out in this tab. */
    wasCutShort: boolean;
  };

/** Whom to name for the end of a session that this tab did not ask for. */
export type EndedBy = 'anotherTab' | 'service';

const nothing: SessionTokens = { accessToken: null, refreshToken: null };
const incoming = (event: SessionEvent) => (event.type === 'storage.changed' ? event.tokens : nothing);

/** What the session may know, ask and do; everything that touches the world is given by `provide`. */
export const sessionSetup = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    input: {} as SessionSenses,
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
    takeTokens: assign(({ event }) => ({ ...incoming(event), hasExtendFailed: false, wasCutShort: false })),
    takeStored: assign(({ context }) => ({
      ...context.readTokens(),
      hasExtendFailed: false,
      wasCutShort: false,
    })),
    /** Another tab's word may still be on its way when a timer fires here: what is stored now is judged by the same rules. */
    hearStored: raise(({ context }) => ({ type: 'storage.changed', tokens: context.readTokens() })),
    noteCutShort: assign({ wasCutShort: true }),
    forgetTokens: assign({ ...nothing, hasExtendFailed: false }),
    takeAccessToken: assign((_, accessToken: string) => ({ accessToken, hasExtendFailed: false })),
    storeTokens: (_, _params: SessionTokens) => {},
    warnSignOut: (_, _params: { error: unknown }) => {},
    clearStorage: () => {},
    dropTokens: () => {},
    clearCache: () => {},
    goToLogin: () => {},
    tellExpired: () => {},
    tellSignedOut: (_, _by: EndedBy) => {},
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
    isIncomingSuccessor: ({ context, event }) => isSuccessorOf(context, incoming(event), context.now()),
    isSuccessorStored: ({ context }) => isSuccessorOf(context, context.readTokens(), context.now()),
    isNewerStored: ({ context }) => {
      const { accessToken } = context.readTokens();
      return accessToken !== context.accessToken && !isTokenExpired(accessToken, context.now());
    },
    /** Tabs that saw the expiry first clear the storage, name by name, while an extension asked for in time is on its way. */
    isExpiryAlone: ({ context, event }) =>
      [incoming(event), context].every(({ accessToken }) => isTokenExpired(accessToken, context.now())),
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
