import { ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { freePort } from './test.app.js';
import { until } from './until.js';

/** A real Ethereum node on a free local port. */
export interface Anvil {
  url: string;
  /** Sends one JSON-RPC call; throws on a JSON-RPC error. */
  rpc(method: string, params: unknown[]): Promise<unknown>;
  /** Stops responding, once this returns, without closing its connections. */
  freeze(): Promise<void>;
  thaw(): void;
  stop(): Promise<void>;
}

/** Starts the node of the installed platform package and resolves when it responds. */
export async function startAnvil({ chainId = 1 } = {}): Promise<Anvil> {
  const platform = process.platform === 'win32' ? 'win32' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const wrapper = createRequire(__filename).resolve('@foundry-rs/anvil/package.json');
  const binary = createRequire(wrapper).resolve(
    `@foundry-rs/anvil-${platform}-${arch}/bin/anvil${platform === 'win32' ? '.exe' : ''}`,
  );
  const port = await freePort();
  const child: ChildProcess = spawn(
    binary,
    ['--port', String(port), '--chain-id', String(chainId), '--silent'],
    { stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}`;
  const rpc = async (method: string, params: unknown[]) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (answer.error) throw new Error(answer.error.message);
    return answer.result;
  };
  await until('the node answers', () =>
    rpc('eth_chainId', []).catch((error: Error) => {
      if (child.exitCode !== null) throw new Error(`the node ended with code ${child.exitCode}`);
      return error.message === 'fetch failed' ? null : Promise.reject(error);
    }),
  ).catch((error: Error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url,
    rpc,
    freeze: async () => {
      child.kill('SIGSTOP');
      const state = () => promisify(execFile)('ps', ['-o', 'state=', '-p', String(child.pid)]);
      await until('the node stands still', async () => (await state()).stdout.trim().startsWith('T'));
    },
    thaw: () => void child.kill('SIGCONT'),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/**
 * Bytecode of a Chainlink-like price feed with fixed results: `decimals()` (0x313ce567) returns `decimals`, anything
 * else the five words of `latestRoundData()`.
 */
export function priceFeedCode(feed: { answer: bigint; updatedAt: number; decimals: number }): `0x${string}` {
  const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0');
  const store = (value: bigint, offset: number) =>
    `7f${word(value)}60${offset.toString(16).padStart(2, '0')}52`;
  const at = BigInt(feed.updatedAt);
  const round =
    store(1n, 0) + store(feed.answer, 32) + store(at, 64) + store(at, 96) + store(1n, 128) + '60a06000f3';
  // PUSH1 0, CALLDATALOAD, PUSH1 0xe0, SHR, PUSH4 selector, EQ, PUSH2 target, JUMPI
  const head = (target: number) => `60003560e01c63313ce5671461${target.toString(16).padStart(4, '0')}57`;
  const target = (head(0).length + round.length) / 2;
  return `0x${head(target)}${round}5b${store(BigInt(feed.decimals), 0)}60206000f3`;
}
