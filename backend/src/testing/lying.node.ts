import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An Ethereum node that returns the same result for every address and every signature. */
export interface LyingNode {
  url: string;
  /** The methods called, in order. */
  calls: string[];
  /** From now on `eth_call` gets its response only once the returned function is called. */
  hold(): () => void;
  stop(): Promise<void>;
}

const magic = '0x1626ba7e'.padEnd(66, '0');

/** Serves chain 1, has code at every address, and accepts or refuses every signature (ERC-1271, ERC-6492). */
export async function startLyingNode({ says = 'yes' as 'yes' | 'no' } = {}): Promise<LyingNode> {
  const calls: string[] = [];
  let held: Promise<void> = Promise.resolve();
  const answerTo = async (method: string, params: unknown[]): Promise<string> => {
    if (method === 'eth_chainId') return '0x1';
    if (method === 'eth_getCode') return '0x6001';
    await held;
    const isToAccount = (params[0] as { to?: string }).to !== undefined;
    if (says === 'no') return '0x';
    return isToAccount ? magic : '0x01';
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    const answer = async () => {
      const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] };
      calls.push(method);
      const result = await answerTo(method, params);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    request.on('end', () => void answer());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    hold: () => {
      let release = (): void => undefined;
      held = new Promise((resolve) => (release = resolve));
      return () => release();
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
