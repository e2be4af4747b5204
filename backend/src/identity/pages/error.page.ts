import type { FastifyReply, FastifyRequest } from 'fastify';
import { asPortalError } from '../../http/error.filter.js';
import { noticePage, sendPage, type Notice } from '../../http/notice.page.js';
import type { PortalError } from '../../http/portal.error.js';

/** Runs `work`; shows its errors to a browser as the page that `noticeFor` returns, and to other clients as JSON. */
export async function showErrorsAsPages(
  request: FastifyRequest,
  reply: FastifyReply,
  noticeFor: (error: PortalError) => Notice,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const known = asPortalError(error);
    if (known.code === 'server.failed' || !request.headers.accept?.includes('text/html')) throw error;
    if (known.retryAfterSeconds !== undefined) {
      void reply.header('retry-after', String(known.retryAfterSeconds));
    }
    sendPage(reply, noticePage(noticeFor(known)), { status: known.statusCode });
  }
}
