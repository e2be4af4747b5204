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

/** What a session reads when it decides; `now` returns ms since the epoch. */
export interface SessionEnvironment {
  readTokens: () => SessionTokens;
  now: () => number;
}
type SessionContext = SessionTokens &
  SessionEnvironment & {
    hasExtendFailed: boolean;
    /** The last session ended without a sign-out in this tab. */
    wasCutShort: boolean;
  };

/** What ended a session that this tab didn't end. */
export type EndedBy = 'anotherTab' | 'service';

const nothing: SessionTokens = { accessToken: null, refreshToken: null };
const incoming = (event: SessionEvent) => (event.type === 'storage.changed' ? event.tokens : nothing);

/** The session's types, guards and actions; everything with an effect outside is passed to `provide`. */
export const sessionSetup = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    input: {} as SessionEnvironment,
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
    /**
     * When a timer fires here, an event of another tab may still be on its way, so the stored tokens go through the
     * same transitions.
     */
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
    reportExpired: () => {},
    reportSignedOut: (_, _by: EndedBy) => {},
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
    /** At expiry other tabs clear the storage, key by key, while an extension requested in time is in progress here. */
    isExpiryAlone: ({ context, event }) =>
      [incoming(event), context].every(({ accessToken }) => isTokenExpired(accessToken, context.now())),
  },
  delays: {
    loadingGuard: limits.loadingGuardMs,
    /** A passport that doesn't respond must not delay a sign-out. */
    signOutGuard: 5_000,
    expiryCheck: ({ context }) =>
      sliceOf(expiresAt(context.accessToken) - limits.expiryCheckBeforeMs - context.now()),
    expiry: ({ context }) => sliceOf(expiresAt(context.accessToken) - context.now()),
  },
});
