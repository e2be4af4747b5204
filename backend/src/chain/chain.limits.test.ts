import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { seedKey, type SeededKey } from '../testing/seed.key.js';
import { Answer, startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

/** A node that can be held, and counts what it is asked and by how many connections. */
class SlowNode {
  readonly calls: string[] = [];
  readonly sockets = new Set<Socket>();
  mostSockets = 0;
  private held: Promise<void> = Promise.resolve();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += chunk));
      request.on('end', () => {
        const { id, method } = JSON.parse(text) as { id: number; method: string };
        this.calls.push(method);
        const result = { eth_chainId: '0x1', eth_getCode: '0x' }[method] ?? '0x1';
        void this.held.then(() => {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        });
      });
    }).on('connection', (socket) => {
      this.sockets.add(socket);
      this.mostSockets = Math.max(this.mostSockets, this.sockets.size);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on nothing is answered until the returned function is called. */
  hold(): () => void {
    let release = (): void => undefined;
    this.held = new Promise((resolve) => (release = resolve));
    return () => release();
  }

  asked(method: string): number {
    return this.calls.filter((each) => each === method).length;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describe('while the Ethereum node takes its time', () => {
  let node: SlowNode;
  let portal: TestApp;
  let addresses = 0;
  beforeAll(async () => {
    node = new SlowNode();
    portal = await startTestApp({ ETH_RPC_URL: await node.start() });
  });
  afterAll(async () => {
    await portal.close();
    node.stop();
  });

  const newAddress = () => `0x${(++addresses).toString(16).padStart(40, '0')}`;
  const call = ({ key }: SeededKey, path: string, body?: object) =>
    portal.call(body === undefined ? 'GET' : 'POST', path, {
      headers: { 'x-api-key': key },
      ...(body === undefined ? {} : { body }),
    });
  const balance = (seeded: SeededKey, address = newAddress()) =>
    call(seeded, `/api/v1/wallet/balance?address=${address}`);
  const tooMany = { status: 429, body: { code: 'service.tooManyCalls' } };

  test('100 calls at once of one owner, with any number of keys, open few connections to it; the others get 429 with Retry-After, and another owner’s calls 200', async () => {
    const first = await seedKey(portal);
    const second = await seedKey(portal, { userId: first.userId });
    const other = await seedKey(portal);
    const release = node.hold();
    const answers: Answer[] = [];
    const flood = Array.from({ length: 100 }, async (_, place) => {
      answers.push(await balance(place % 2 === 0 ? first : second));
    });
    try {
      await until('the rest is refused', () => answers.length === 100 - limits.nodeCallsAtOncePerOwner);
      for (const answer of answers) {
        expect(answer).toMatchObject(tooMany);
        expect(answer.headers.get('retry-after')).toBe('1');
        expect(answer.body.message).toBe(
          `At most ${limits.nodeCallsAtOncePerOwner} calls of one owner may wait for the Ethereum node at once. Try again in 1 second`,
        );
      }
      expect((await call(other, '/api/v1/key')).status).toBe(200);
      const before = node.asked('eth_getBalance');
      const others = balance(other);
      await until('the node is asked for the other owner', () => node.asked('eth_getBalance') > before);
      release();
      expect((await others).status).toBe(200);
    } finally {
      release();
    }
    await Promise.all(flood);
    const served = answers.filter(({ status }) => status === 200);
    expect(served).toHaveLength(limits.nodeCallsAtOncePerOwner);
    // One for each call that waited, and one for the price feed.
    expect(node.mostSockets).toBeLessThanOrEqual(limits.nodeCallsAtOncePerOwner + 2);
    expect((await balance(first)).status).toBe(200);
  });

  test('an owner who asks about ever-changing addresses has a number of calls per second, and other owners have their own', async () => {
    const seeded = await seedKey(portal);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    try {
      const before = node.asked('eth_getBalance');
      for (let sent = 0; sent < limits.nodeCallsPerSecondPerOwner; sent++) {
        expect((await balance(seeded)).status).toBe(200);
      }
      const refused = await balance(seeded);
      expect(refused).toMatchObject(tooMany);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.body.message).toBe(
        `One owner may send the Ethereum node at most ${limits.nodeCallsPerSecondPerOwner} calls per second. Try again in 1 second`,
      );
      expect(await call(seeded, `/api/v1/tokens/${usdc}`)).toMatchObject(tooMany);
      expect(node.asked('eth_getBalance')).toBe(before + limits.nodeCallsPerSecondPerOwner);
      expect((await balance(await seedKey(portal))).status).toBe(200);
    } finally {
      clock.mockRestore();
    }
  });

  test('one address is asked about once for all who ask at the same time and within a second after', async () => {
    const owners = await Promise.all(Array.from({ length: 5 }, () => seedKey(portal)));
    const address = newAddress();
    const before = node.asked('eth_getBalance');
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    try {
      const release = node.hold();
      const asking = owners.map((seeded) => balance(seeded, address));
      await until('the node is asked', () => node.asked('eth_getBalance') > before);
      release();
      const answers = await Promise.all(asking);
      expect(answers.map(({ status }) => status)).toEqual(owners.map(() => 200));
      expect((await balance(owners[0]!, address)).status).toBe(200);
      expect(node.asked('eth_getBalance')).toBe(before + 1);
      clock.mockReturnValue(Date.now() + limits.nodeAnswerSharedMs);
      expect((await balance(owners[0]!, address)).status).toBe(200);
      expect(node.asked('eth_getBalance')).toBe(before + 2);
    } finally {
      clock.mockRestore();
    }
  });

  test('tokens are added a number of times per minute with all projects of an owner together', async () => {
    const { userId } = await seedKey(portal);
    const projects = await Promise.all(Array.from({ length: 3 }, () => seedKey(portal, { userId })));
    let now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
    try {
      for (let sent = 0; sent < limits.tokensAddedPerMinute; sent++) {
        const answer = await call(projects[sent % 3]!, '/api/v1/tokens', { address: newAddress() });
        expect(answer.body.code).toBe('token.invalid');
        now += 100;
      }
      const answers = [];
      for (let sent = 0; sent < 10; sent++) {
        answers.push(await call(projects[sent % 3]!, '/api/v1/tokens', { address: newAddress() }));
      }
      expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'request.rateLimited' } });
      expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      clock.mockRestore();
    }
  });
});
