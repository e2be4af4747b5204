import { type ErrorCode, errorBody } from '@orange-id/contract/error.codes';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newRequestId, requestIdHeader } from './request.id.js';

/**
 * Responds to a request that Node's HTTP server rejected before it reached a route: too slow, too many headers, or not
 * HTTP. Then closes the connection.
 */
export function refuseClient(error: NodeJS.ErrnoException, socket: Socket): void {
  // Text sent after a response has begun would be read as part of it.
  const { _httpMessage: begun } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (error.code !== 'ECONNRESET' && socket.writable && !begun?.headersSent) {
    const body = errorBody(codeOf(error));
    const requestId = newRequestId();
    const text = JSON.stringify({ ...body, requestId });
    socket.write(
      [
        `HTTP/1.1 ${body.statusCode} ${body.error}`,
        'connection: close',
        'cache-control: no-store',
        `${requestIdHeader}: ${requestId}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(text)}`,
        '',
        text,
      ].join('\r\n'),
    );
  }
  socket.destroy();
}

function codeOf({ code }: NodeJS.ErrnoException): ErrorCode {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request.timedOut';
  return code === 'HPE_HEADER_OVERFLOW' ? 'request.headersTooLarge' : 'request.invalid';
}
