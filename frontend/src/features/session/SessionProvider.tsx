import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useMemo, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { fromPromise } from 'xstate';
import { AuthContext, type Auth } from '../../api/session/auth.context';
import { useConfig } from '../../api/config/config.context';
import { isUserRefusal, userQuery } from '../../api/session/get.user';
import { queryKeys } from '../../api/cache/query.keys';
import { forgetPage, keepTabUser, rememberPage } from '../../api/session/left.page';
import { refreshToken } from '../../api/session/refresh.token';
import { signOutPassport } from '../../api/session/sign.out.passport';
import { clearSession, dropTokens, readTokens, storeTokens, subscribeTokens } from '../../api/token.storage';
import { inspected, stateName } from '../../inspect/machine.inspect';
import { sessionExpired } from '../../ui/session.text';
import { useToast } from '../../ui/toast';
import { ExpiryNotice } from './ExpiryNotice';
import { sessionMachine } from './session.machine';
import { expiresAt } from './session.rules';
import type { EndedBy } from './session.setup';

const endings: Record<EndedBy, string> = {
  // Another tab cleared the storage, which doesn't show why.
  anotherTab: 'You signed out in another tab, or your session ended.',
  service: 'Your session was ended from another device, or it expired.',
};

/** The pages on the way from a sign-in to the page that the tab returns to. */
const returning = ['/', '/login', '/auth/callback', '/orange-id'];

/** Whether the session has a user to fetch in this state. */
const hasUser = (state: string) => state.startsWith('signedIn') || state === 'loadingUser';

/** Runs the session of this tab and provides it to the pages. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const config = useConfig();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const location = useLocation();

  const machine = useMemo(() => {
    const { baseUrl } = config.identity;
    return sessionMachine.provide({
      actors: {
        loadUser: fromPromise(async ({ input }) => {
          try {
            await queryClient.fetchQuery(userQuery(config));
            return 'loaded';
          } catch (error) {
            // The refusal of a token that has since been replaced doesn't concern the new one.
            if (isUserRefusal(error) && readTokens().accessToken === input.accessToken) return 'refused';
            throw error;
          }
        }),
        extendSession: fromPromise(({ input }) => refreshToken(baseUrl, input)),
        signOutPassport: fromPromise(async ({ input: { accessToken }, signal }) => {
          if (accessToken) await signOutPassport(baseUrl, accessToken, signal);
        }),
      },
      actions: {
        clearStorage: () => clearSession(),
        dropTokens: () => dropTokens(),
        storeTokens: (_, { accessToken, refreshToken }) => {
          if (accessToken) storeTokens({ accessToken, refreshToken });
        },
        // The public configuration belongs to no user and is needed to render anything.
        clearCache: () => {
          queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.config[0] });
          queryClient.getMutationCache().clear();
        },
        goToLogin: ({ context }) => {
          const { pathname, search } = window.location;
          if (context.wasCutShort) rememberPage(pathname + search);
          void navigate('/login');
        },
        reportExpired: () => toast(sessionExpired),
        reportSignedOut: (_, by) =>
          toast({
            title: 'Signed Out',
            description: `${endings[by]} Sign in again in this tab to continue where you left off.`,
            tone: 'info',
          }),
        warnSignOut: (_, { error }) => console.warn('Error during Bedrock Passport signOut', error),
      },
    });
  }, [config, queryClient, navigate, toast]);

  const session = useActorRef(machine, { ...inspected, input: { readTokens, now: Date.now } });

  useEffect(() => {
    const reevaluate = () => session.send({ type: 'storage.changed', tokens: readTokens() });
    const onShown = () => document.visibilityState === 'visible' && reevaluate();
    const unsubscribe = subscribeTokens(reevaluate);
    document.addEventListener('visibilitychange', onShown);
    return () => {
      unsubscribe();
      document.removeEventListener('visibilitychange', onShown);
    };
  }, [session]);

  // Every navigation checks the tokens again, so that a protected page never opens with an invalid one, and refetches
  // the user if the last request failed.
  useEffect(() => {
    session.send({ type: 'storage.changed', tokens: readTokens() });
    const { queryKey } = userQuery(config);
    if (queryClient.getQueryState(queryKey)?.status === 'error')
      void queryClient.refetchQueries({ queryKey });
  }, [session, config, queryClient, location.key]);

  const state = useSelector(session, (snapshot) => stateName(snapshot.value));
  const accessToken = useSelector(session, (snapshot) => snapshot.context.accessToken);
  const hasExtendFailed = useSelector(session, (snapshot) => snapshot.context.hasExtendFailed);
  const wasCutShort = useSelector(session, (snapshot) => snapshot.context.wasCutShort);
  const isAuthenticated = state.startsWith('signedIn');

  // Enabled from the first request on: enabling it later, after that request failed, would refetch at once, beyond the
  // one retry. The effect that fetches runs later than the render; the session may have ended in between.
  const { data: user, error } = useQuery({
    ...userQuery(config),
    enabled: () => hasUser(state) && hasUser(stateName(session.getSnapshot().value)),
  });
  useEffect(() => {
    if (!isUserRefusal(error)) return;
    const tokens = readTokens();
    const isHeld = () => session.getSnapshot().context.accessToken === tokens.accessToken;
    if (isHeld()) {
      session.send({ type: 'user.refused' });
      return;
    }
    // The refused token has been replaced; the user is refetched if the session accepted the new one.
    session.send({ type: 'storage.changed', tokens });
    if (isHeld()) void queryClient.invalidateQueries({ queryKey: queryKeys.user });
  }, [error, session, queryClient]);

  // The tab returns to a page after sign-in only if the user goes nowhere else first.
  const isUnderWay = isAuthenticated && !returning.includes(location.pathname);
  useEffect(() => {
    if (isUnderWay) forgetPage();
  }, [isUnderWay, location.key]);
  const userId = isAuthenticated ? user?.id : undefined;
  useEffect(() => {
    if (userId !== undefined) keepTabUser(userId);
  }, [userId]);

  const auth = useMemo<Auth>(
    () => ({
      isAuthenticated,
      isLoading: !isAuthenticated && state !== 'signedOut',
      user: isAuthenticated ? (user ?? null) : null,
      accessToken: isAuthenticated ? accessToken : null,
      wasCutShort,
      logout: () => {
        keepTabUser(null);
        session.send({ type: 'session.end' });
      },
    }),
    [isAuthenticated, state, user, accessToken, wasCutShort, session],
  );

  return (
    <AuthContext.Provider value={auth}>
      <div data-machine="session" data-state={state}>
        {(state === 'signedIn.expiring' || state === 'signedIn.extending') && (
          <ExpiryNotice
            endsAt={expiresAt(accessToken)}
            isExtending={state === 'signedIn.extending'}
            hasFailed={hasExtendFailed}
            onExtend={() => session.send({ type: 'session.extend' })}
          />
        )}
        {children}
      </div>
    </AuthContext.Provider>
  );
}
