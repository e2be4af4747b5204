import { limits } from '@orange-id/contract/limits';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Waiting = [request: IncomingMessage, response: ServerResponse][];

/**
 * Handles the requests of one connection one after the other. Node starts every request in the data that it has read,
 * each of which may hold a file open, and when the connection closes it notifies only the response being written: the
 * others would hold their files forever. A connection with too many waiting requests is cut.
 */
export function oneByOne(listener: RequestListener): RequestListener {
  const waitingOf = new WeakMap<Socket, Waiting>();

  const begin = (waiting: Waiting, request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    response.once('close', () => {
      const next = socket.destroyed ? undefined : waiting.shift();
      if (next) begin(waiting, ...next);
      else waitingOf.delete(socket);
    });
    listener(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    const waiting = waitingOf.get(socket);
    if (waiting === undefined) {
      const first: Waiting = [];
      waitingOf.set(socket, first);
      begin(first, request, response);
    } else if (waiting.length < limits.requestsWaitingPerConnection) waiting.push([request, response]);
    else socket.destroy();
  };
}
