import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readVersion } from './get.version';

let server: Server;
let baseUrl: string;
let answer: { status: number; body: string };
let asked: { url: string | undefined; headers: IncomingHttpHeaders } | null;

beforeEach(async () => {
  asked = null;
  server = createServer(({ url, headers }, response) => {
    asked = { url, headers };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  jest.restoreAllMocks();
  await new Promise((resolve) => server.close(resolve));
});

const read = () => readVersion({ baseUrl, subscriptionKey: 'a-key' } as Parameters<typeof readVersion>[0]);

/** The lines that are logged with `console.error`. */
function listen(): string[] {
  const lines: string[] = [];
  jest.spyOn(console, 'error').mockImplementation((...words) => void lines.push(words.map(String).join(' ')));
  return lines;
}

describe('the version info', () => {
  const addresses = { cssUrl: '/a.css', cdnUrl: '/a.js', betaCssUrl: '/b.css', betaCdnUrl: '/b.js' };

  test('is requested with the subscription key and contains the four URLs', async () => {
    answer = { status: 200, body: JSON.stringify({ ...addresses, currentVersion: '2.0.0' }) };
    expect(await read()).toMatchObject(addresses);
    expect(asked).toMatchObject({
      url: '/api/v1/settings/version',
      headers: { 'ocp-apim-subscription-key': 'a-key' },
    });
  });

  test.each([401, 404, 500, 503])(
    "refused with %i is logged as 'HTTP error! Status: N' and returns null",
    async (status) => {
      const lines = listen();
      answer = { status, body: 'no' };
      expect(await read()).toBeNull();
      expect(lines).toEqual([expect.stringMatching(new RegExp(`: Error: HTTP error! Status: ${status}$`))]);
    },
  );

  test.each(['<html>', '{}', '{"cssUrl":7,"cdnUrl":"/a.js"}', 'null'])(
    'with the body %j is logged and returns null',
    async (body) => {
      const lines = listen();
      answer = { status: 200, body };
      expect(await read()).toBeNull();
      expect(lines).toHaveLength(1);
    },
  );

  test('of an unreachable service is logged and returns null', async () => {
    const lines = listen();
    await new Promise((resolve) => server.close(resolve));
    expect(await read()).toBeNull();
    expect(lines).toEqual([expect.stringContaining('fetch failed')]);
  });
});
