import { http, HttpError, type HttpRequest } from '../http';

const attempts = 4;
const usualWaitMs = 1_000;

/**
 * A usage request. The server runs two per user at once and queues a few; a request that finds the queue full is
 * retried after `Retry-After`, so that several open pages of one user don't show each other's load as an error. Throws
 * what `http` throws.
 */
export async function askUsage<T>(request: HttpRequest<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await http(request);
    } catch (error) {
      const isFull = error instanceof HttpError && error.code === 'usage.tooManyQueries';
      if (!isFull || attempt === attempts) throw error;
      const { retryAfterSeconds } = error;
      await pause(retryAfterSeconds === undefined ? usualWaitMs : retryAfterSeconds * 1000, request.signal);
    }
  }
}

/** Rejects with the signal's reason if the signal aborts first. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
