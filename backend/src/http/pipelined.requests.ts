import { errorBody } from '@orange-id/contract/error.codes';
import { limits } from '@orange-id/contract/limits';
import {
  createServer,
  IncomingMessage,
  RequestListener,
  Server,
  ServerOptions,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { newRequestId, requestIdHeader } from './request.id.js';

type Waiting = [request: IncomingMessage, response: ServerResponse][];

/**
 * Handles the requests of one connection one after the other. Node starts every request in the data that it has read,
 * each of which may hold a file open, and when the connection closes it notifies only the response being written: the
 * others would hold their files forever.
 *
 * Of all connections, one waiting request begins in each turn of the event loop. A response may be complete before the
 * loop turns, so that thousands of waiting requests would otherwise run before anybody else's data is read.
 */
export function serialized(listener: RequestListener): RequestListener {
  const waitingOf = new WeakMap<Socket, Waiting>();
  const turns: (() => void)[] = [];

  const takeTurn = (): void => {
    const next = turns.shift();
    if (turns.length > 0) setImmediate(takeTurn);
    next?.();
  };

  const begin = (waiting: Waiting, request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    response.once('close', () => {
      if (waiting.length === 0) waitingOf.delete(socket);
      else if (turns.push(() => beginNext(socket, waiting)) === 1) setImmediate(takeTurn);
    });
    listener(request, response);
  };

  const beginNext = (socket: Socket, waiting: Waiting): void => {
    const next = socket.destroyed ? undefined : waiting.shift();
    if (next) begin(waiting, ...next);
    else waitingOf.delete(socket);
  };

  return (request, response) => {
    const { socket } = request;
    const waiting = waitingOf.get(socket);
    if (waiting === undefined) {
      const first: Waiting = [];
      waitingOf.set(socket, first);
      begin(first, request, response);
    } else waiting.push([request, response]);
  };
}

/**
 * An HTTP server whose connections hold a bounded number of unanswered requests: each keeps its objects, and its
 * response once it has one, until the client has read the responses before it. A connection above the limit is cut. So
 * is one that pipelines while the whole server holds too many such requests; no browser and no proxy pipelines.
 */
export function createBoundedServer(options: ServerOptions, listener: RequestListener): Server {
  const countsOf = new WeakMap<Socket, { waiting: number }>();
  let waitingOfAll = 0;

  /** Returns false if that is one request too many. */
  const wait = (socket: Socket, response: ServerResponse): boolean => {
    let counts = countsOf.get(socket);
    if (counts === undefined) {
      const first = (counts = { waiting: 0 });
      countsOf.set(socket, first);
      socket.once('close', () => {
        waitingOfAll -= first.waiting;
        first.waiting = 0;
      });
    }
    const ofConnection = counts;
    if (
      ofConnection.waiting >= limits.requestsWaitingPerConnection ||
      waitingOfAll >= limits.requestsWaiting
    ) {
      return false;
    }
    ofConnection.waiting++;
    waitingOfAll++;
    response.once('close', () => {
      // The closing of the connection has subtracted it.
      if (ofConnection.waiting === 0) return;
      ofConnection.waiting--;
      waitingOfAll--;
    });
    return true;
  };

  const enter: RequestListener = (request, response) => {
    const { socket } = request;
    // Node still emits the requests that it had read when the connection was cut. Nobody reads their responses, and
    // the client address, which the limits count by, is no longer known. Reading it here keeps it.
    if (socket.destroyed || socket.remoteAddress === undefined) return cut(socket);
    // Node has assigned the connection to another response, which is not complete.
    if (response.socket === null && !wait(socket, response)) return cut(socket);
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      return refuseWithoutHost(response);
    listener(request, response);
  };

  // Node would answer a request without a Host header, or with an unknown expectation, itself and uncounted. An unknown
  // expectation is ignored.
  const server = createServer(
    { IncomingMessage: BoundedMessage, ...options, requireHostHeader: false },
    enter,
  );
  return server.on('checkExpectation', enter);
}

/**
 * A request whose connection is cut if its body arrives in too many small pieces. Node keeps each chunk of a chunked body
 * as an object, so that 1 MB in chunks of one byte takes 100 MB, before anything has read the body.
 */
class BoundedMessage extends IncomingMessage {
  private piecesLeft: number = limits.bodyPieces;

  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (piece === null) return super.push(piece);
    this.piecesLeft += piece.length / limits.bodyPieceBytes - 1;
    if (this.piecesLeft >= 0) return super.push(piece, encoding);
    cut(this.socket);
    return false;
  }

  /** Node calls it once the response is complete, for the rest of the body, which it would then no longer count. */
  _dump(): void {
    this.removeAllListeners('data');
    this.resume();
  }
}

/** Node's parser of a connection, of which it documents nothing: any part may be missing. */
interface Parser {
  constructor: { kOnHeadersComplete?: number; kOnBody?: number };
  [callback: number]: unknown;
}

/**
 * Closes a connection and stops its parser. Node otherwise builds all requests, and all pieces of a body, in the data that
 * it has read, thousands of them in 64 kB, and keeps them until the connection has closed. The parser serves other
 * connections later, so it gets its callbacks back.
 */
function cut(socket: Socket & { parser?: Parser | null }): void {
  const { parser } = socket;
  socket.destroy();
  if (!parser) return;
  const { kOnHeadersComplete, kOnBody } = parser.constructor;
  for (const callback of [kOnHeadersComplete, kOnBody]) {
    if (callback === undefined || parser[callback] === null) continue;
    const build = parser[callback];
    parser[callback] = null;
    socket.once('close', () => (parser[callback] = build));
  }
}

function refuseWithoutHost(response: ServerResponse): void {
  const body = errorBody('request.invalid', 'The Host header is missing');
  const requestId = newRequestId();
  response
    .writeHead(body.statusCode, {
      [requestIdHeader]: requestId,
      connection: 'close',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    })
    .end(JSON.stringify({ ...body, requestId }));
}
