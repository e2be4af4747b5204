import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exampleCall } from '@orange-id/contract/example.call';
import { type MeteredPath, meteredPaths, type MeteredRouteId } from '@orange-id/contract/metered.paths';
import { meteredRoutes } from '@orange-id/contract/metered.routes';
import { snippetFor, type SnippetLanguage } from '@orange-id/contract/snippets';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { Anvil, startAnvil } from '../testing/anvil.js';
import { newId } from '../database/new.id.js';
import { signUp } from '../testing/sign.up.js';
import { pageOf } from '../testing/tenant.page.js';
import { seedKey, SeededKey } from '../testing/seed.key.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { deployToken } from '../testing/test.tokens.js';

const site = 'https://play.example.com';

interface Given {
  parameters?: Record<string, string>;
  body?: unknown;
}

/** How a snippet is run, and the program that the machine needs for it. */
const runners: Record<SnippetLanguage, { file: string; command: string; needs: string }> = {
  curl: { file: 'call.sh', command: '/bin/sh', needs: 'curl' },
  fetch: { file: 'fetch.mjs', command: process.execPath, needs: process.execPath },
  node: { file: 'call.mjs', command: process.execPath, needs: process.execPath },
  python: { file: 'call.py', command: 'python3', needs: 'python3' },
};

const ids = Object.keys(meteredPaths) as MeteredRouteId[];

describe('the snippets', () => {
  let node: Anvil;
  let portal: TestApp;
  let shop: SeededKey;
  let coin: string;
  let folder: string;
  let player: string;
  let saves = 0;
  beforeAll(async () => {
    node = await startAnvil();
    portal = await startTestApp({ ETH_RPC_URL: node.url });
    shop = await seedKey(portal, { urls: [site] });
    const { id, code } = shop.project as { id: string; code: string };
    await portal.db.query('insert into games (id, project_id, code, name) values ($1, $2, $3, $3)', [
      newId(),
      id,
      'coin-rush',
    ]);
    ({ token: player } = await signUp(pageOf(portal, site, code)));
    coin = await deployToken(node, { name: "It's a coin", symbol: 'COIN', decimals: 6 });
    folder = await mkdtemp(join(tmpdir(), 'portal-snippets-'));
    await portal.call('POST', '/api/v1/tokens', {
      headers: { 'x-api-key': shop.key },
      body: { address: coin },
    });
  });
  afterAll(async () => {
    await portal.close();
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the snippet of a call, as a developer who has put a key into it. */
  async function runSnippet(language: SnippetLanguage, id: MeteredRouteId, given: Given, key = shop.key) {
    const { file, command } = runners[language];
    const path = join(folder, file);
    await writeFile(
      path,
      snippetFor(language, meteredPaths[id], { baseUrl: portal.url, apiKey: key, ...given }),
    );
    return new Promise<{ code: number; out: string; error: string }>((resolve) => {
      const env = { ...process.env, NO_PROXY: '*', no_proxy: '*' };
      const child = execFile(command, [path], { env }, (failure, out, error) => {
        resolve({ code: failure === null ? 0 : (child.exitCode ?? -1), out, error });
      });
    });
  }

  const withPlayer = (id: MeteredRouteId): Given => {
    const { parameters, ...call } = exampleCall(meteredPaths[id]);
    return { ...call, parameters: { ...parameters, Authorization: `Bearer ${player}` } };
  };

  /** Input with which each call succeeds; by default, the examples of the table. */
  async function inputOf(id: MeteredRouteId): Promise<Given> {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const { address } = wallet;
    switch (id) {
      case 'walletBalance':
        return { parameters: { address } };
      case 'walletTransactions':
        return { parameters: { address, blocks: '2' } };
      case 'walletConnect': {
        const { body } = await portal.call('GET', `/api/v1/wallet/message?address=${address}`, {
          headers: { 'x-api-key': shop.key },
        });
        return {
          body: { message: body.message, signature: await wallet.signMessage({ message: body.text }) },
        };
      }
      case 'addToken':
        return { body: { address: coin } };
      case 'token':
        return { parameters: { id: coin } };
      case 'gameData':
        return withPlayer(id);
      case 'addScore':
        return withPlayer(id);
      case 'saveGameData':
        return { ...withPlayer(id), body: { data: { level: 3 }, version: saves++ } };
      default:
        return exampleCall(meteredPaths[id]);
    }
  }

  describe.each(Object.keys(runners) as SnippetLanguage[])('for %s', (language) => {
    const { needs } = runners[language];
    const isHere = isInstalled(needs);
    const note = isHere ? '' : ` (skipped: ${needs} isn’t installed on this machine)`;
    const runnable = isHere ? test : test.skip;

    runnable.each(ids)(`calls %s, prints the answer and is recorded${note}`, async (id) => {
      const route: MeteredPath = meteredPaths[id];
      const { code, out, error } = await runSnippet(language, id, await inputOf(id));
      expect([code, language === 'curl' ? '' : error]).toEqual([0, '']);
      if (language === 'fetch') expect(out).toMatch(/^200 [{[]/);
      else expect(meteredRoutes[id].response.safeParse(JSON.parse(out)).error).toBeUndefined();
      const rows = await portal.db.query(
        'select endpoint, method, status_code from api_usage where user_id = $1 order by seq desc limit 1',
        [shop.userId],
      );
      expect(rows).toEqual([{ endpoint: route.path, method: route.method, status_code: 200 }]);
    });

    runnable(`shows the status and the message of a refusal${note}`, async () => {
      const { code, out, error } = await runSnippet(language, 'key', {}, 'YOUR_API_KEY');
      expect(out + error).toContain('Invalid API key');
      if (language !== 'curl') expect(out + error).toContain('401');
      // Whatever runs such a script must be able to tell that the call failed.
      expect(code).toBe(language === 'node' || language === 'python' ? 1 : 0);
    });
  });
});

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
