import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { connect, type Socket } from 'node:net';
import { startTestApp, type TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';

/** The longest body that a route of the portal accepts. */
const longest = 262_144;
const perAddress = Math.floor(limits.bodyBytesPerAddress / longest);
const refresh = 'POST /api/v1/auth/refresh';

describe('bodies that have not arrived completely', () => {
  let portal: TestApp;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    portal = await startTestApp({ TRUST_PROXY: '1' });
  });
  const closeAll = async () => {
    const closing = sockets.splice(0);
    for (const socket of closing) socket.destroy();
    await until('all are closed', () => closing.every(({ closed }) => closed));
  };
  afterEach(closeAll);
  afterAll(() => portal.close());

  /** Sends all but the last byte of a body, and returns what has been answered. */
  const begin = (address: string, { line = refresh, length = longest, isChunked = false } = {}) => {
    const socket = connect(portal.environment.PORT, '127.0.0.1');
    sockets.push(socket);
    const size = isChunked ? 'transfer-encoding: chunked' : `content-length: ${length}`;
    socket.write(
      `${line} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${address}\r\ncontent-type: application/json\r\n${size}\r\n\r\n`,
    );
    socket.write(isChunked ? '1\r\n{\r\n' : '{'.padEnd(length - 1));
    socket.on('error', () => undefined);
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    return { socket, answer: () => answer };
  };
  const answerOf = async (request: ReturnType<typeof begin>) => {
    await until('an answer arrives', () => request.answer().includes('\r\n\r\n{'));
    return request.answer();
  };
  const signIn = () =>
    portal.call('POST', '/api/v1/auth/email/login', {
      body: { email: 'nobody@example.com', password: 'a long enough password' },
    });

  test.each([
    ['a route of the portal', { line: refresh }],
    ['an unknown path', { line: 'POST /nowhere' }],
    ['a body without a length', { isChunked: true }],
  ])(
    '%s: one address holds a few at once, the next one gets a 429, and others are answered',
    async (_, how) => {
      for (let sent = 0; sent < perAddress; sent++) begin('203.0.113.1', how);
      const refused = await answerOf(begin('203.0.113.1', how));
      expect(refused).toContain('HTTP/1.1 429 ');
      expect(refused).toMatch(/retry-after: 1\r\n/i);
      expect(refused).toContain(
        'Your network sends too many large requests at once: the limit is 8 MB. Retry in 1 s.',
      );

      const small = begin('203.0.113.1', { length: limits.smallBodyBytes });
      small.socket.write('}');
      expect(await answerOf(small)).toContain('HTTP/1.1 4');
      expect(small.answer()).not.toContain('HTTP/1.1 429 ');
      const elsewhere = begin('203.0.113.2', { length: 20_000 });
      elsewhere.socket.write('}');
      expect(await answerOf(elsewhere)).not.toContain('HTTP/1.1 429 ');

      await closeAll();
      await until('the address may send again', async () => {
        const again = begin('203.0.113.1', { length: 20_000 });
        again.socket.write('}');
        return !(await answerOf(again)).includes('HTTP/1.1 429 ');
      });
    },
  );

  test('all addresses together hold a bounded number, and signing in still works', async () => {
    const addresses = limits.bodyBytes / limits.bodyBytesPerAddress;
    for (let address = 1; address <= addresses; address++) {
      for (let sent = 0; sent < perAddress; sent++) begin(`198.51.100.${address}`);
    }
    const refused = await answerOf(begin('203.0.113.9'));
    expect(refused).toContain('HTTP/1.1 503 ');
    expect(refused).toContain('server.busy');
    expect((await signIn()).status).toBe(401);
  });
});
