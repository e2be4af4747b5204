/**
 * Simulates many pages in a separate process: opens live connections with the given tokens, and reads some of them but
 * not the others. The parent controls it over IPC: it sends `{ port, tokens, perToken, slow, addresses }`, then
 * `'report'`. The process exits with its parent.
 */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

const state = { open: 0, refused: 0, slowCut: 0, fastCut: 0, rows: 0, latencies: [] };
const pages = [];
let isEnding = false;

function frame(text) {
  const body = Buffer.from(text);
  const head =
    body.length < 126
      ? Buffer.from([0x81, 0x80 | body.length])
      : Buffer.from([0x81, 0xfe, body.length >> 8, body.length & 255]);
  // A mask of zeros leaves the text as it is.
  return Buffer.concat([head, Buffer.alloc(4), body]);
}

/** Resolves once the page has resumed, or its connection has ended. */
function open({ port, token, isSlow, localAddress }) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    let left = Buffer.alloc(0);
    let isUpgraded = false;
    let isOpen = false;
    const end = () => {
      if (isEnding) return;
      if (!isOpen) state.refused++;
      else if (isSlow) state.slowCut++;
      else state.fastCut++;
      resolve();
    };
    const hear = (text) => {
      if (text.startsWith('0{')) socket.write(frame(`40${JSON.stringify({ token })}`));
      else if (text === '2') socket.write(frame('3'));
      else if (text.startsWith('44')) socket.destroy();
      else if (text.startsWith('40')) socket.write(frame('420["resume",{"after":0}]'));
      else if (text.startsWith('430')) {
        isOpen = true;
        state.open++;
        if (isSlow) {
          socket.pause();
          // Sends pongs, so that the server considers it alive, and reads nothing.
          const alive = setInterval(() => socket.writable && socket.write(frame('3')), 2_000);
          socket.on('close', () => clearInterval(alive));
        }
        resolve();
      } else if (text.startsWith('42["usage.rows"')) {
        const { rows } = JSON.parse(text.slice(2))[1];
        state.rows += rows.length;
        for (const { timestamp } of rows) state.latencies.push(Date.now() - Date.parse(timestamp));
      }
    };
    socket.on('error', () => undefined).on('close', end);
    socket.on('connect', () =>
      socket.write(
        'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n' +
          'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
          `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
      ),
    );
    socket.on('data', (bytes) => {
      left = Buffer.concat([left, bytes]);
      if (!isUpgraded) {
        const at = left.indexOf('\r\n\r\n');
        if (at < 0) return;
        isUpgraded = true;
        left = left.subarray(at + 4);
      }
      for (;;) {
        if (left.length < 2) return;
        const short = left[1] & 127;
        const head = short < 126 ? 2 : short === 126 ? 4 : 10;
        if (left.length < head) return;
        const length =
          short < 126 ? short : short === 126 ? left.readUInt16BE(2) : Number(left.readBigUInt64BE(2));
        if (left.length < head + length) return;
        const text = left.subarray(head, head + length).toString();
        left = left.subarray(head + length);
        hear(text);
      }
    });
    pages.push(socket);
  });
}

async function start({ port, tokens, perToken, slow, addresses }) {
  const todo = tokens.flatMap((token, user) =>
    Array.from({ length: perToken }, () => ({ token, isSlow: user < slow })),
  );
  let next = 0;
  const worker = async () => {
    while (next < todo.length) {
      const place = next++;
      const localAddress = `127.0.0.${2 + (place % addresses)}`;
      await open({ port, localAddress, ...todo[place] });
    }
  };
  await Promise.all(Array.from({ length: 30 }, worker));
  process.send({ ...state, latencies: [] });
}

process.on('message', (message) => {
  if (message === 'report') {
    process.send(state);
    state.latencies = [];
  } else void start(message);
});
process.on('disconnect', () => {
  isEnding = true;
  pages.forEach((socket) => socket.destroy());
  process.exit(0);
});
