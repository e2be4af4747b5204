import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A foreign identity service at the wire: its received requests, and the responses that a test sets. */
export interface HostedIdentity {
  url: string;
  /** Every request so far: method and path, and the headers with their original case. */
  asked: { line: string; headers: Record<string, string> }[];
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Stops listening and cuts every connection, like an outage. */
  stop(): Promise<void>;
  /** Listens on the same port again. */
  start(): Promise<void>;
}

export async function startHostedIdentity(): Promise<HostedIdentity> {
  const server = createServer((request, response) => {
    const headers: Record<string, string> = {};
    for (let at = 0; at < request.rawHeaders.length; at += 2) {
      headers[request.rawHeaders[at] as string] = request.rawHeaders[at + 1] as string;
    }
    hosted.asked.push({ line: `${request.method} ${request.url}`, headers });
    hosted.answer(request, response);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const hosted: HostedIdentity = {
    url: `http://localhost:${port}`,
    asked: [],
    answer: (_request, response) => void response.writeHead(404).end(),
    start: () => listen(port),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return hosted;
}

/** A JSON response. */
export const json =
  (body: unknown, status = 200): HostedIdentity['answer'] =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** A token as another service signs it; only that service can verify the signature. */
export function foreignToken(claims: Record<string, unknown> = {}): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 3600;
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ sub: 'u-1', provider: 'google', exp, ...claims })}.c2lnbmF0dXJl`;
}
