import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { socketPath } from '@orange-id/contract/socket.events';
import { connect, type Socket } from 'node:net';
import { signUp } from '../testing/sign.up.js';
import { startTestApp, type TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';

const upgrade =
  `GET ${socketPath}/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n` +
  'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const text = 0x81;
const ping = 0x89;
const pong = 0x8a;
/** The first part of a message, and a further one. */
const part = 0x01;
const more = 0x00;

/** A frame as clients send it, with a mask of zeros. */
const frame = (start: number, content: string): Buffer => {
  const size = content.length < 126 ? [content.length] : [126, content.length >> 8, content.length & 255];
  const [first = 0, ...others] = size;
  return Buffer.concat([Buffer.from([start, 0x80 | first, ...others, 0, 0, 0, 0]), Buffer.from(content)]);
};

describe('a live connection that sends more than a page does', () => {
  let portal: TestApp;
  let token: string;
  const clients: Socket[] = [];
  beforeAll(async () => {
    portal = await startTestApp();
    ({ token } = await signUp(portal));
  });
  afterEach(() => clients.splice(0).forEach((client) => client.destroy()));
  afterAll(() => portal.close());

  /** Resolves once the connection has authenticated. */
  const open = async (): Promise<{ client: Socket; received: () => string; isClosed: () => boolean }> => {
    const client = connect(Number(new URL(portal.url).port), '127.0.0.1');
    clients.push(client);
    let received = '';
    client.on('error', () => undefined).on('data', (data) => (received += data.toString('latin1')));
    client.write(upgrade);
    await until('the connection is upgraded', () => received.includes('pingInterval'));
    client.write(frame(text, `40${JSON.stringify({ token })}`));
    await until('the connection has authenticated', () => received.includes('40{'));
    return { client, received: () => received, isClosed: () => client.destroyed };
  };

  test.each([
    ['messages', text, '42["forum.watch",true]'],
    ['heartbeats', text, '3'],
    ['pings', ping, 'x'],
    ['pongs', pong, ''],
    ['parts of a message without an end', part, ''],
    ['long messages', text, `42["x","${'a'.repeat(limits.socketPayloadMaxBytes - 100)}"]`],
  ])('is closed: %s', async (_, start, content) => {
    const { client, received, isClosed } = await open();
    const [first, further] = [frame(start, content), frame(start === part ? more : start, content)];
    const packet = Buffer.concat([first, ...Array<Buffer>(content.length > 100 ? 20 : 30_000).fill(further)]);
    const before = received().length;
    client.write(packet);
    await until('the connection is closed', isClosed);
    // An answer to each ping has three bytes.
    expect(received().length - before).toBeLessThan(4 * limits.socketFramesPerMinute);
  });
});
