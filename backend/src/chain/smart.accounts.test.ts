import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeFunctionData, hashMessage, parseAbi, serializeErc6492Signature } from 'viem';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { parseEnvironment } from '../config/environment.js';
import { waits } from '../config/waits.js';
import { Anvil, startAnvil } from '../testing/anvil.js';
import { LyingNode, startLyingNode } from '../testing/lying.node.js';
import { addressArgument, deploy, factoryOf, textArgument, wrongAccounts } from '../testing/test.accounts.js';
import { ChainClient } from './chain.client.js';
import { SmartAccounts } from './smart.accounts.js';

const accountsAt = (url: string, second = '', limits = waits) => {
  const environment = parseEnvironment({ NODE_ENV: 'test', ETH_RPC_URL: url, ETH_RPC_URL_SECOND: second });
  return new SmartAccounts(new ChainClient(environment, limits), environment);
};
const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
const text = 'a message';
const hash = hashMessage(text);
const nowhere: Address = '0x00000000000000000000000000000000000a11ce';

let node: Anvil;
let accounts: SmartAccounts;
let signature: Hex;
let foreign: Hex;
beforeAll(async () => {
  node = await startAnvil();
  accounts = accountsAt(node.url);
  signature = await owner.signMessage({ message: text });
  foreign = await stranger.signMessage({ message: text });
});
afterAll(() => node.stop());

describe('an account on the chain (ERC-1271)', () => {
  let account: Address;
  beforeAll(async () => {
    account = await deploy(node, 'OwnedAccount', addressArgument(owner.address));
  });

  test('accepts its owner’s signature', async () => {
    expect(await accounts.hasSigned(account, hash, signature)).toBe(true);
  });

  test('refuses another key’s signature, one over another message, and an invalid one', async () => {
    expect(await accounts.hasSigned(account, hash, foreign)).toBe(false);
    expect(await accounts.hasSigned(account, hashMessage('another'), signature)).toBe(false);
    for (const wrong of ['0x', '0x12', `0x${'0'.repeat(130)}`, `0x${'ff'.repeat(16_384)}`] as const) {
      expect(await accounts.hasSigned(account, hash, wrong)).toBe(false);
    }
  });

  test('unwraps a signature that was wrapped before the account was deployed', async () => {
    const wrap = (inner: Hex) =>
      serializeErc6492Signature({ address: nowhere, data: '0x12', signature: inner });
    expect(await accounts.hasSigned(account, hash, wrap(signature))).toBe(true);
    expect(await accounts.hasSigned(account, hash, wrap(foreign))).toBe(false);
  });

  test('refuses a malformed wrapping', async () => {
    const wrapped = serializeErc6492Signature({ address: nowhere, data: '0x12', signature });
    const magic = wrapped.slice(-64);
    for (const cut of [`0x${magic}`, `0x${wrapped.slice(2, 100)}${magic}`, `0x${'ff'.repeat(200)}${magic}`]) {
      expect(await accounts.hasSigned(account, hash, cut as Hex)).toBe(false);
    }
  });

  test('refuses an empty signature, even if owners approve hashes on the chain', async () => {
    const approving = await deploy(node, 'ApprovingAccount');
    expect(await accounts.hasSigned(approving, hash, '0x')).toBe(false);
    expect(await accounts.hasSigned(approving, hash, signature)).toBe(false);
  });

  test('is called directly if it is deployed, without the call that the signature names', async () => {
    const account = await deploy(node, 'PreparedAccount');
    const data = encodeFunctionData({ abi: parseAbi(['function prepare()']), functionName: 'prepare' });
    const wrapped = serializeErc6492Signature({ address: account, data, signature: foreign });
    expect(await accounts.hasSigned(account, hash, wrapped)).toBe(false);
  });

  test.each(Object.entries(wrongAccounts))('the signature of an account %s is refused', async (_, code) => {
    const account: Address = '0x00000000000000000000000000000000000bad00';
    await node.rpc('anvil_setCode', [account, code]);
    expect(await accounts.hasSigned(account, hash, signature)).toBe(false);
  });

  test('the signature of an account that refers to a URL is refused, and the URL is not requested', async () => {
    const visits: (string | undefined)[] = [];
    const site = createServer((request, response) => {
      visits.push(request.url);
      response.setHeader('content-type', 'application/json').end('{"data":"0x12"}');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/{sender}/{data}`;
    const account = await deploy(node, 'AskingAccount', textArgument(url));
    const answer = await accounts.hasSigned(account, hash, signature);
    site.closeAllConnections();
    site.close();
    await once(site, 'close');
    expect(answer).toBe(false);
    expect(visits).toEqual([]);
  });
});

describe('an account that is not deployed yet (ERC-6492)', () => {
  test('accepts its owner’s signature, also after it is deployed', async () => {
    const factory = await factoryOf(node);
    const account = await factory.addressOf(owner.address);
    const wrapped = factory.wrap(owner.address, signature);
    expect(await accounts.hasSigned(account, hash, wrapped)).toBe(true);
    expect(await node.rpc('eth_getCode', [account, 'latest'])).toBe('0x');
    await factory.create(owner.address);
    expect(await node.rpc('eth_getCode', [account, 'latest'])).not.toBe('0x');
    expect(await accounts.hasSigned(account, hash, wrapped)).toBe(true);
    expect(await accounts.hasSigned(account, hash, signature)).toBe(true);
  });

  test('refuses another key’s signature, another factory call and an unwrapped signature', async () => {
    const factory = await factoryOf(node);
    const account = await factory.addressOf(owner.address);
    for (const wrong of [
      factory.wrap(owner.address, foreign),
      // Deploys an account, but at another address.
      factory.wrap(stranger.address, signature),
      factory.wrap(stranger.address, foreign),
      serializeErc6492Signature({ address: factory.address, data: '0x12345678', signature }),
      serializeErc6492Signature({ address: nowhere, data: '0x', signature }),
      signature,
      '0x',
      `0x${'64926492'.repeat(8)}`,
    ] as Hex[]) {
      expect(await accounts.hasSigned(account, hash, wrong)).toBe(false);
    }
  });

  test('a factory cannot sign for an address that it does not deploy to', async () => {
    const victim = privateKeyToAccount(generatePrivateKey()).address;
    for (const code of Object.values(wrongAccounts)) {
      await node.rpc('anvil_setCode', [nowhere, code]);
      const wrapped = serializeErc6492Signature({ address: nowhere, data: '0x1626ba7e', signature: foreign });
      expect(await accounts.hasSigned(victim, hash, wrapped)).toBe(false);
    }
  });
});

describe('a second node', () => {
  const lying: LyingNode[] = [];
  const lyingNode = async (says: 'yes' | 'no' = 'yes'): Promise<string> => {
    const started = await startLyingNode({ says });
    lying.push(started);
    return started.url;
  };
  let account: Address;
  beforeAll(async () => {
    account = await deploy(node, 'OwnedAccount', addressArgument(owner.address));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const started of lying.splice(0)) await started.stop();
  });

  test('that agrees is trusted', async () => {
    const both = accountsAt(node.url, await lyingNode());
    expect(await both.hasSigned(account, hash, signature)).toBe(true);
  });

  test('that disagrees makes the portal refuse the signature, whichever node is wrong, and logs one line', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const withFirstLying = accountsAt(await lyingNode(), node.url);
    const withSecondLying = accountsAt(node.url, await lyingNode());
    for (const both of [withFirstLying, withSecondLying]) {
      for (const wrong of [foreign, `0x${'12'.repeat(65)}`] as Hex[]) {
        expect(await both.hasSigned(account, hash, wrong)).toBe(false);
        expect(await both.hasSigned(nowhere, hash, wrong)).toBe(false);
      }
    }
    expect(await accountsAt(node.url, await lyingNode('no')).hasSigned(account, hash, signature)).toBe(false);
    const line = (name: string) => [
      `A smart account's signature was refused: only the node of ${name} accepted it. Further ones are not logged until both nodes accept one`,
    ];
    expect(warn.mock.calls).toEqual(['ETH_RPC_URL', 'ETH_RPC_URL_SECOND', 'ETH_RPC_URL'].map(line));

    expect(await withSecondLying.hasSigned(account, hash, signature)).toBe(true);
    expect(await withSecondLying.hasSigned(account, hash, foreign)).toBe(false);
    expect(warn.mock.calls.slice(3)).toEqual([line('ETH_RPC_URL_SECOND')]);
  });

  test('that is unreachable or serves another chain causes chain.unavailable, and so does an unreachable first node', async () => {
    const other = await startAnvil({ chainId: 137 });
    try {
      for (const both of [
        accountsAt(node.url, 'http://127.0.0.1:1'),
        accountsAt('http://127.0.0.1:1', node.url),
        accountsAt(node.url, other.url),
      ]) {
        await expect(both.hasSigned(account, hash, signature)).rejects.toMatchObject({
          code: 'chain.unavailable',
          statusCode: 503,
        });
      }
    } finally {
      await other.stop();
    }
  });
});

describe('chain.unavailable is thrown', () => {
  const unavailable = { code: 'chain.unavailable', statusCode: 503 };

  test('without a node', async () => {
    await expect(accountsAt('http://127.0.0.1:1').hasSigned(nowhere, hash, signature)).rejects.toMatchObject(
      unavailable,
    );
  });

  test('if the node stops responding', async () => {
    await node.freeze();
    try {
      const impatient = accountsAt(node.url, '', { ...waits, chainMs: 200 });
      await expect(impatient.hasSigned(nowhere, hash, signature)).rejects.toMatchObject(unavailable);
    } finally {
      node.thaw();
    }
  }, 20_000);

  test('if the node stops responding, within the limit in force when the request starts, and the request is cancelled', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const limits = { ...waits, chainMs: 60_000 };
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const accounts = accountsAt(url, '', limits);
      limits.chainMs = 200;
      const asked = once(silent, 'request') as Promise<[IncomingMessage, ServerResponse]>;
      const cut = asked.then(([, response]) => once(response, 'close'));
      await expect(accounts.hasSigned(nowhere, hash, signature)).rejects.toMatchObject(unavailable);
      await cut;
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  test('if the node serves another chain, whatever that chain returns', async () => {
    const other = await startAnvil({ chainId: 137 });
    try {
      const account = await deploy(other, 'OwnedAccount', addressArgument(owner.address));
      await expect(accountsAt(other.url).hasSigned(account, hash, signature)).rejects.toMatchObject({
        ...unavailable,
        message:
          'The portal’s Ethereum node is on chain 137, not on chain 1. Its operator has to set ETH_RPC_URL to an Ethereum mainnet node',
      });
    } finally {
      await other.stop();
    }
  });

  test.each<[string, number, string]>([
    ['that is over its limit', 200, '{"error":{"code":-32005,"message":"limit exceeded"}}'],
    ['whose state is missing', 200, '{"error":{"code":-32000,"message":"missing trie node"}}'],
    ['that fails', 500, 'oops'],
    ['that sends a page', 200, '<html></html>'],
    ['that sends something else', 200, '{"result":7}'],
    ['that sends nothing', 200, ''],
  ])('for a node %s during the call', async (_, status, answer) => {
    const account = await deploy(node, 'OwnedAccount', addressArgument(owner.address));
    const relay = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      const answerTo = async () => {
        const call = JSON.parse(body) as { id: number; method: string };
        const reply = await fetch(node.url, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json' },
        });
        response.setHeader('content-type', 'application/json');
        if (call.method !== 'eth_call') return response.end(await reply.text());
        response.statusCode = status;
        return response.end(answer.replace('{', `{"jsonrpc":"2.0","id":${call.id},`).replace(',}', '}'));
      };
      request.on('end', () => void answerTo());
    }).listen(0, '127.0.0.1');
    await once(relay, 'listening');
    const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
    await expect(accountsAt(url).hasSigned(account, hash, signature)).rejects.toMatchObject(unavailable);
    relay.closeAllConnections();
    relay.close();
    await once(relay, 'close');
  });
});
