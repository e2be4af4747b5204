import type { FastifyReply } from 'fastify';
import { asPortalError } from '../../http/error.filter.js';
import { noticePage, sendPage, type Notice } from '../../http/notice.page.js';
import type { PortalError } from '../../http/portal.error.js';

/** Whether a client with this `Accept` header shows pages. */
export const wantsPage = (accept: string | undefined): boolean => accept?.includes('text/html') ?? false;

/** Runs `work`; shows its errors as the page that `noticeFor` returns if `isPage`, and otherwise as JSON. */
export async function showErrorsAsPages(
  reply: FastifyReply,
  isPage: boolean,
  noticeFor: (error: PortalError) => Notice,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const known = asPortalError(error);
    if (known.code === 'server.failed' || !isPage) throw error;
    if (known.retryAfterSeconds !== undefined) {
      void reply.header('retry-after', String(known.retryAfterSeconds));
    }
    sendPage(reply, noticePage(noticeFor(known)), { status: known.statusCode });
  }
}
