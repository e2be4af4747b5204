import { storeTokens } from '../token.storage';

const lockName = 'portal-token-replacement';

/** Shared by all tabs of a browser; missing on a page without https. */
const locksOf = (): LockManager | undefined => globalThis.navigator?.locks;

/**
 * Runs `work`, which ends the stored tokens at the service and returns new ones, and stores those. Until then a refusal
 * of the old tokens signs no tab of this browser out. Runs without a lock if the browser has no locks.
 */
export async function replaceTokens(
  work: () => Promise<{ accessToken: string; refreshToken: string }>,
): Promise<void> {
  const replace = async () => storeTokens(await work());
  const locks = locksOf();
  await (locks ? locks.request(lockName, replace) : replace());
}

/** Resolves when no tab is replacing tokens, after `timeoutMs` at the latest. */
export async function replacementSettled(timeoutMs: number): Promise<void> {
  try {
    await locksOf()?.request(
      lockName,
      { mode: 'shared', signal: AbortSignal.timeout(timeoutMs) },
      () => undefined,
    );
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
