import { storeTokens } from './token.storage';

const lockName = 'portal-token-replacement';

/** Shared by the tabs of a browser; absent on a page without https. */
const locksOf = (): LockManager | undefined => globalThis.navigator?.locks;

/**
 * Runs `work`, which makes the service end the stored tokens and answers those that take their place, and stores these.
 * Until then no tab of this browser judges the old ones: their refusal is no sign-out. Where the browser has no locks
 * it runs without.
 */
export async function replaceTokens(
  work: () => Promise<{ accessToken: string; refreshToken: string }>,
): Promise<void> {
  const replace = async () => storeTokens(await work());
  const locks = locksOf();
  await (locks ? locks.request(lockName, replace) : replace());
}

/** Resolves once no tab is replacing tokens, after `patienceMs` at the latest. */
export async function replacementSettled(patienceMs: number): Promise<void> {
  try {
    await locksOf()?.request(
      lockName,
      { mode: 'shared', signal: AbortSignal.timeout(patienceMs) },
      () => undefined,
    );
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
