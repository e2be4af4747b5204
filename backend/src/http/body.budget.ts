import { limits } from '@orange-id/contract/limits';
import type { FastifyRequest } from 'fastify';
import { addressKey } from './address.key.js';
import { PortalError } from './portal.error.js';

/**
 * Limits the bytes of request bodies that an instance holds at once, per client address and in all: a body is kept while
 * it arrives, before anything else is known of its sender. Small bodies do not count, so that signing in still works
 * while the budget is spent.
 */
export class BodyBudget {
  private readonly ofAddress = new Map<string, number>();
  private ofAll = 0;

  /**
   * Counts the body of `request`, of at most `mostBytes`, until the request is complete. Throws `request.rateLimited` if
   * its address has too many, and `server.busy` if the instance has.
   */
  take(request: FastifyRequest, mostBytes: number): void {
    const bytes = bytesOf(request, mostBytes);
    if (bytes <= limits.smallBodyBytes) return;
    const address = addressKey(request.ip);
    const others = this.ofAddress.get(address) ?? 0;
    if (others + bytes > limits.bodyBytesPerAddress) {
      throw new PortalError('request.rateLimited', {
        message: `Your network sends too many large requests at once: the limit is ${limits.bodyBytesPerAddress / 2 ** 20} MB. Retry in 1 s.`,
        retryAfterSeconds: 1,
      });
    }
    if (this.ofAll + bytes > limits.bodyBytes) throw new PortalError('server.busy', { retryAfterSeconds: 1 });
    this.ofAddress.set(address, others + bytes);
    this.ofAll += bytes;
    request.raw.once('close', () => {
      this.ofAll -= bytes;
      const left = (this.ofAddress.get(address) as number) - bytes;
      if (left > 0) this.ofAddress.set(address, left);
      else this.ofAddress.delete(address);
    });
  }
}

/** How much of the body may be kept: a longer one is refused by its length, and a chunked one names no length. */
function bytesOf({ headers }: FastifyRequest, mostBytes: number): number {
  if (headers['transfer-encoding'] !== undefined) return mostBytes;
  return Math.min(Number(headers['content-length'] ?? 0), mostBytes);
}
