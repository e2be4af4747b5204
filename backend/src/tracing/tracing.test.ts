import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seedKey } from '../testing/seed.key.js';
import { signUp } from '../testing/sign.up.js';
import { startTestApp, type TestApp } from '../testing/test.app.js';

interface Span {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, string | number>;
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const email = 'traced@example.com';
let collector: Server;
let portal: TestApp;
/** What the collector received, as text and as spans. */
let received = '';
const spans: Span[] = [];
const services = new Set<string>();

/** OTLP's attributes are pairs of a key and a typed value. */
const plain = (attributes: { key: string; value: Record<string, string | number> }[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] as string | number]));

function collect(text: string): void {
  received += text;
  const { resourceSpans } = JSON.parse(text);
  for (const { resource, scopeSpans } of resourceSpans) {
    services.add(String(plain(resource.attributes)['service.name']));
    for (const { spans: found } of scopeSpans) {
      spans.push(
        ...found.map((span: never) => ({ ...(span as Span), attributes: plain(span['attributes']) })),
      );
    }
  }
}

beforeAll(async () => {
  collector = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/v1/traces') collect(text);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  portal = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  await signUp(portal, email);
  const { key } = await seedKey(portal);
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  await portal.call('GET', '/api/v1/key', { headers: { ...headers, 'x-api-key': key } });
  await portal.call('POST', '/api/v1/auth/email/login', {
    headers,
    body: { email, password: 'a long enough password' },
  });
  await portal.call('GET', '/api/v1/missing?key=in-the-query', { headers });
  // Sends what has not been sent.
  await portal.close();
});
afterAll(() => void collector.close());

const ofTrace = () => spans.filter((span) => span.traceId === traceId);
const server = (name: string) => ofTrace().find((span) => span.kind === 2 && span.name === name);

test('each request is a span of the trace that its client began, by route template and status', () => {
  expect([...services]).toEqual(['orange-portal']);
  expect(
    ofTrace()
      .filter(({ kind }) => kind === 2)
      .map(({ name, parentSpanId, attributes }) => [
        name,
        parentSpanId,
        attributes['http.response.status_code'],
        attributes['orange.request_id'],
      ]),
  ).toEqual([
    ['GET /api/v1/key', '00f067aa0ba902b7', 200, traceId],
    ['POST /api/v1/auth/email/login', '00f067aa0ba902b7', 200, traceId],
    ['GET /*', '00f067aa0ba902b7', 404, traceId],
  ]);
});

test('the queries of a request with a body are its children', () => {
  const login = server('POST /api/v1/auth/email/login');
  const queries = ofTrace().filter(({ parentSpanId }) => parentSpanId === login?.spanId);
  expect(queries.length).toBeGreaterThan(0);
  for (const { name, attributes } of queries) {
    expect(attributes['db.system.name']).toBe('postgresql');
    expect(String(attributes['db.query.text']).toUpperCase()).toMatch(new RegExp(`^\\W*${name}\\b`));
  }
});

test('no span holds what a request or a query was given', () => {
  expect(received).not.toContain(email);
  expect(received).not.toContain('a long enough password');
  expect(received).not.toContain('in-the-query');
  expect(received).not.toContain('oid_');
});
