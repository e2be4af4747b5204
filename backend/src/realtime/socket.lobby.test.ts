import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { socketPath } from '@orange-id/contract/socket.events';
import type { IncomingMessage } from 'node:http';
import { connect, Server, Socket } from 'node:net';
import { WAITS } from '../config/waits.js';
import { AccessTokenVerifier } from '../auth/access-token.verifier.js';
import { openLive } from '../testing/open.live.js';
import { signUp } from '../testing/sign.up.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { SocketLobby } from './socket.lobby.js';
import { withWait } from '../testing/with.wait.js';

/** A raw TCP connection that never closes its own side. */
interface Wire {
  socket: Socket;
  received: string;
}

const upgrade = (target = `${socketPath}/?EIO=4&transport=websocket`, headers = '') =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${headers}\r\n`;
/** A text frame as clients send it, with a mask of zeros. */
const frame = (text: string) =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

describe('a socket connection', () => {
  let portal: TestApp;
  const wires: Wire[] = [];
  /** The ports of the clients whose connections the server holds. */
  const held = new Set<number>();
  beforeAll(async () => {
    portal = await startTestApp({ TRUST_PROXY: '1' });
    (portal.app.getHttpServer() as Server).on('connection', (socket: Socket) => {
      const { remotePort } = socket as { remotePort: number };
      held.add(remotePort);
      socket.on('close', () => held.delete(remotePort));
    });
  });
  afterEach(() => wires.splice(0).forEach(({ socket }) => socket.destroy()));
  afterAll(() => portal.close());

  const isHeld = ({ socket }: Wire) => held.has(socket.localPort as number);
  /** Sends `start`, then `more` after the server has responded, and waits only for the connection. */
  const open = (start: string, more?: Buffer): Promise<Wire> =>
    new Promise((resolve) => {
      const port = Number(new URL(portal.url).port);
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      const wire: Wire = { socket, received: '' };
      wires.push(wire);
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        if (wire.received === '' && more) socket.write(more);
        wire.received += bytes.toString('latin1');
      });
      socket.on('connect', () => {
        socket.write(start);
        resolve(wire);
      });
    });

  test('that does not authenticate in time is closed, whatever it sends and even if it never closes its own side', async () => {
    const sid = `${socketPath}/?EIO=4&transport=websocket&sid=x`;
    const signInMs = 1_000;
    await withWait(portal.app.get(WAITS), 'socketSignInMs', signInMs, async () => {
      const started = performance.now();
      const stalled = {
        'an upgrade at another path': await open(upgrade('/elsewhere')),
        'an upgrade to another protocol': await open(upgrade().replace(': websocket', ': h2c')),
        'an upgrade with the id of no session': await open(upgrade(sid)),
        'silence after the upgrade': await open(upgrade()),
        'half a frame': await open(upgrade(), Buffer.from([0x81])),
        'a connect without a token': await open(upgrade(), frame('40')),
        'a connect with a wrong token': await open(upgrade(), frame('40{"token":"a.b.c"}')),
        'a connect to no namespace': await open(upgrade(), frame('40/nowhere,')),
        'a connect that is never whole': await open(
          upgrade(),
          frame('451-["x",{"_placeholder":true,"num":0}]'),
        ),
      };
      const left = () =>
        Object.entries(stalled)
          .filter(([, wire]) => isHeld(wire))
          .map(([name]) => name);
      await until('all are cut', () => left().length === 0, signInMs + 2_000).catch(() => undefined);
      expect(left()).toEqual([]);
      expect(performance.now() - started).toBeGreaterThan(signInMs);
      expect(stalled['silence after the upgrade'].received).toContain('101 Switching Protocols');
      expect(stalled['a connect with a wrong token'].received).toContain('auth.tokenInvalid');
    });
  }, 20_000);

  test('is closed when it leaves the namespace after authenticating', async () => {
    const { token } = await signUp(portal);
    const live = await openLive(portal.url, { token });
    const { engine } = live.socket.io as unknown as {
      engine: { write(packet: string): void; readyState: string };
    };
    // A disconnect of the namespace; the page's own `disconnect` closes the connection too.
    engine.write('1');
    await until('the server closes the connection', () => engine.readyState === 'closed', 3_000);
    live.close();
  });

  test('counts against the limit of its address until it authenticates, and not against the limit of other addresses', async () => {
    const from = (address: string) => upgrade(undefined, `X-Forwarded-For: ${address}\r\n`);
    const isOpen = async (wire: Wire) =>
      (await until('an answer comes', () => wire.received !== '')) && wire.received.includes(' 101 ');
    const { token } = await signUp(portal);
    const live = await openLive(portal.url, { token });
    // One customer has a whole /64 of IPv6.
    const many = await Promise.all(
      Array.from({ length: limits.socketsSigningInPerAddress }, (_, place) =>
        open(from(`2001:db8:0:1::${place}`)),
      ),
    );
    for (const wire of many) expect(await isOpen(wire)).toBe(true);
    const more = await open(from('2001:db8:0:1:ffff::1'));
    expect(await isOpen(more)).toBe(false);
    expect(more.received).toContain('HTTP/1.1 400 Bad Request');
    await until('it is cut at once', () => !isHeld(more), 1_000);
    expect(await isOpen(await open(from('2001:db8:0:2::1')))).toBe(true);
    expect(await isOpen(await open(from('203.0.113.7')))).toBe(true);
    many[0]?.socket.destroy();
    await until('there is room again', async () => isOpen(await open(from('2001:db8:0:1:ffff::2'))));
    expect(live.socket.connected).toBe(true);
    live.close();
  }, 20_000);

  test('is refused once its user has opened too many in a minute', async () => {
    const { token } = await signUp(portal);
    let opened = 0;
    const openNext = async () => {
      (await openLive(portal.url, { token })).close();
    };
    // The limit refills a little meanwhile.
    const refusal: unknown = await (async () => {
      for (; opened < 2 * limits.socketsOpenedPerMinute; opened++) await openNext();
    })().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ data: { code: 'request.rateLimited' } });
    expect(opened).toBeGreaterThanOrEqual(limits.socketsOpenedPerMinute);
    const { token: another } = await signUp(portal);
    (await openLive(portal.url, { token: another })).close();
  }, 20_000);

  test('is refused at its upgrade once its address has opened too many in a minute', () => {
    const lobby = portal.app.get(SocketLobby);
    const from = (address: string) =>
      ({ headers: { 'x-forwarded-for': address }, socket: new Socket() }) as unknown as IncomingMessage;
    const mayOpen = (address: string) => {
      const request = from(address);
      const isAllowed = lobby.enter(request);
      lobby.leave(request);
      return isAllowed;
    };
    // The limit refills with time.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    for (let opened = 0; opened < limits.socketsOpenedPerAddressPerMinute; opened++) {
      expect(mayOpen('203.0.113.50')).toBe(true);
    }
    expect(mayOpen('203.0.113.50')).toBe(false);
    expect(mayOpen('203.0.113.51')).toBe(true);
    clock.mockRestore();
  });

  test('cannot take over the session of another connection, where it would be neither counted nor closed', async () => {
    const first = await open(upgrade());
    await until('the page has received its session id', () => first.received.includes('"sid"'));
    const sid = /"sid":"([^"]+)"/.exec(first.received)?.[1];
    const second = await open(upgrade(`${socketPath}/?EIO=4&transport=websocket&sid=${sid}`));
    await until('it is refused', () => second.received.includes('HTTP/1.1 400 Bad Request'));
    await until('it is cut at once', () => !isHeld(second), 1_000);
  });

  test('authenticates once: of a thousand tokens one is checked, and the connection is closed', async () => {
    const looks = jest.spyOn(portal.app.get(AccessTokenVerifier), 'verify');
    const tokens = Array.from({ length: 1_000 }, () => frame('40{"token":"a.b.c"}'));
    const wire = await open(upgrade(), Buffer.concat(tokens));
    await until('it is cut', () => !isHeld(wire), 3_000);
    expect(looks).toHaveBeenCalledTimes(1);
    looks.mockRestore();
  });

  test('frees its place for the next one as soon as it authenticates', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => signUp(portal)));
    const pages: { close(): void }[] = [];
    for (let made = 0; made < limits.socketsSigningInPerAddress + 10; made++) {
      const { token } = users[made % users.length] as { token: string };
      pages.push(await openLive(portal.url, { token }));
    }
    pages.forEach((page) => page.close());
  }, 20_000);
});
