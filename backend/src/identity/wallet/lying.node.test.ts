import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { serializeErc6492Signature } from 'viem';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import { inBrowserOf } from '../../testing/browser.cookie.js';
import { LyingNode, startLyingNode } from '../../testing/lying.node.js';
import { openLive } from '../../testing/open.live.js';
import { signedMessage } from '../../testing/signed.message.js';
import { Answer, startTestApp, TestApp } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';

const newWallet = () => privateKeyToAccount(generatePrivateKey());
const nowhere: Address = '0x00000000000000000000000000000000000a11ce';
const wrapped = (signature: Hex): Hex =>
  serializeErc6492Signature({ address: nowhere, data: '0x12', signature });

/**
 * Signatures that no account on the chain can have made: shorter than any signature, or an incomplete ERC-6492
 * wrapping.
 */
const malformed: [string, Hex][] = [
  ['0x12', '0x12'],
  ['that is empty', '0x'],
  ['of 64 bytes', `0x${'12'.repeat(64)}`],
  ['of 64 bytes in an ERC-6492 wrapping', wrapped(`0x${'12'.repeat(64)}`)],
  ['that is the end of an ERC-6492 wrapping only', `0x${'64926492'.repeat(8)}`],
  ['in an ERC-6492 wrapping that is not whole', `0x${'ff'.repeat(200)}${'64926492'.repeat(8)}`],
];
/** Signatures that an account on the chain could have made; only a node can tell. */
const wellFormed: [string, Hex][] = [
  ['of 65 bytes', `0x${'12'.repeat(64)}1b`],
  ['of 300 bytes', `0x${'12'.repeat(300)}`],
  ['in an ERC-6492 wrapping', wrapped(`0x${'12'.repeat(65)}`)],
];

const foreign = wellFormed[0]![1];

const production = {
  NODE_ENV: 'production',
  PORTAL_SECRET: 'a secret of more than thirty-two characters',
  PUBLIC_URL: 'https://portal.example.com',
  DATABASE_URL: 'postgres://not-used-by-tests/portal',
};

/** Calls to the portal with messages that are signed for its public address. */
const callsOf = (portal: TestApp) => {
  const site = { call: portal.call, url: portal.environment.PUBLIC_URL };
  const messageOf = async (wallet: PrivateKeyAccount) => (await signedMessage(site, wallet)).message;
  const verify = (body: object) => portal.call('POST', '/api/v1/message/verify', { body });
  return {
    verify,
    signIn: async (wallet: PrivateKeyAccount) => verify(await signedMessage(site, wallet)),
    /** A sign-in as this address with a signature that its key did not make. */
    pretend: async (wallet: PrivateKeyAccount, signature: Hex) =>
      verify({ message: await messageOf(wallet), signature }),
    link: async (token: string, wallet: PrivateKeyAccount, signature?: Hex) => {
      const signed = await signedMessage(site, wallet);
      return portal.call('POST', '/api/v1/auth/identifier/wallet', {
        token,
        headers: await inBrowserOf(portal, token),
        body: { ...signed, ...(signature === undefined ? {} : { signature }) },
      });
    },
    /** A confirmation, in the browser of this token, with a signature that the key did not make. */
    confirm: async (token: string, wallet: PrivateKeyAccount, signature: Hex) =>
      portal.call('POST', '/api/v1/auth/proof', {
        token,
        headers: await inBrowserOf(portal, token),
        body: { message: await messageOf(wallet), signature },
      }),
    /** The statuses of the access token and the refresh token of a session. */
    statusOf: async ({ body }: Answer): Promise<number[]> => {
      const { accessToken, refreshToken } = body.token;
      const user = await portal.call('GET', '/api/v1/auth/user', { token: accessToken });
      const renewed = await portal.call('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
      return [user.status, renewed.status];
    },
  };
};

describe.each([
  ['development', {}],
  ['production', production],
])('a node that accepts every signature, in %s', (_, variables) => {
  let node: LyingNode;
  let portal: TestApp;
  let calls: ReturnType<typeof callsOf>;
  beforeAll(async () => {
    node = await startLyingNode();
    portal = await startTestApp({ ...variables, ETH_RPC_URL: node.url });
    calls = callsOf(portal);
  });
  beforeEach(() => void node.calls.splice(0));
  afterAll(async () => {
    await portal.close();
    await node.stop();
  });

  const newToken = async (): Promise<string> => (await calls.signIn(newWallet())).body.token.accessToken;

  /** An account from before this portal recorded which wallets have signed with their key. */
  const ownerFromBefore = async (wallet: PrivateKeyAccount): Promise<void> => {
    const id = crypto.randomUUID();
    await portal.db.query(
      `insert into users (id, issuer, subject, eth_address, provider) values ($1, 'embedded', $1::uuid::text, $2, 'wallet')`,
      [id, wallet.address],
    );
    await portal.db.query(
      `insert into linked_identities (id, user_id, provider, subject) values (gen_random_uuid(), $1, 'wallet', $2)`,
      [id, wallet.address],
    );
  };

  test.each(malformed)(
    'a signature %s gets 401 for any address, without a call to the node',
    async (_, signature) => {
      const known = newWallet();
      await ownerFromBefore(known);
      for (const wallet of [known, newWallet()]) {
        const answer = await calls.pretend(wallet, signature);
        expect([answer.status, answer.body.code]).toEqual([401, 'auth.signatureInvalid']);
      }
      expect(node.calls).toEqual([]);
    },
  );

  test.each(malformed)('a signature %s links no wallet, without a call to the node', async (_, signature) => {
    const { token } = (await calls.signIn(newWallet())).body;
    const answer = await calls.link(token.accessToken, newWallet(), signature);
    expect([answer.status, answer.body.code]).toEqual([401, 'auth.signatureInvalid']);
    expect(node.calls).toEqual([]);
  });

  test('signing in and linking by key make no call to the node', async () => {
    const { status, body } = await calls.signIn(newWallet());
    expect(status).toBe(200);
    expect((await calls.link(body.token.accessToken, newWallet())).status).toBe(200);
    expect(node.calls).toEqual([]);
  });

  describe.each<[string, (wallet: PrivateKeyAccount) => Promise<unknown>]>([
    ['signed in', (wallet) => calls.signIn(wallet)],
    ['was linked', async (wallet) => calls.link(await newToken(), wallet)],
    [
      'was linked and unlinked',
      async (wallet) => {
        const token = await newToken();
        await calls.link(token, wallet);
        const methods = await portal.call('GET', '/api/v1/auth/identifiers', { token });
        const { id } = methods.body.find(({ label }: { label: string }) => label === wallet.address);
        const headers = await inBrowserOf(portal, token);
        const answer = await portal.call('DELETE', `/api/v1/auth/identifiers/${id}`, { token, headers });
        expect(answer.status).toBe(204);
      },
    ],
  ])('once a wallet %s by its key', (_, prove) => {
    test.each(wellFormed)(
      'a signature %s neither signs in with it nor links it, without a call to the node',
      async (_, signature) => {
        const wallet = newWallet();
        await prove(wallet);
        for (const answer of [
          await calls.pretend(wallet, signature),
          await calls.link(await newToken(), wallet, signature),
        ]) {
          expect([answer.status, answer.body.code]).toEqual([401, 'auth.signatureInvalid']);
        }
        expect(node.calls).toEqual([]);
      },
    );
  });

  test('signing in by key ends every earlier session that came through the node, with its sockets', async () => {
    const wallet = newWallet();
    const first = await calls.pretend(wallet, foreign);
    const second = await calls.pretend(wallet, foreign);
    // Tokens that replaced those of a session opened through the node count as opened through it too.
    const carried = await calls.link(second.body.token.accessToken, newWallet());
    expect([first.status, second.status, carried.status]).toEqual([200, 200, 200]);
    const live = await openLive(portal.url, { token: carried.body.token.accessToken });
    try {
      const owner = await calls.signIn(wallet);
      expect(owner.body.user.id).toBe(first.body.user.id);
      await until('the socket is notified', () => live.endings.length > 0);
      expect(live.endings).toEqual(['signedOut']);
      for (const ended of [first, second, carried]) expect(await calls.statusOf(ended)).toEqual([401, 401]);
      expect(await calls.statusOf(owner)).toEqual([200, 200]);
      // The second sign-in finds no such session to end.
      const again = await calls.signIn(wallet);
      expect(await calls.statusOf(owner)).toEqual([200, 200]);
      expect(await calls.statusOf(again)).toEqual([200, 200]);
    } finally {
      live.close();
    }
  });

  test('a session through the node that unlinked its own wallet and linked it again ends with the others', async () => {
    const wallet = newWallet();
    const stranger = await calls.pretend(wallet, foreign);
    const carried = await calls.link(stranger.body.token.accessToken, newWallet());
    const token = carried.body.token.accessToken;
    const methods = await portal.call('GET', '/api/v1/auth/identifiers', { token });
    const { id } = methods.body.find(({ label }: { label: string }) => label === wallet.address);
    const headers = await inBrowserOf(portal, token);
    const unlinked = await portal.call('DELETE', `/api/v1/auth/identifiers/${id}`, { token, headers });
    expect(unlinked.status).toBe(204);
    expect((await calls.link(token, wallet, foreign)).status).toBe(200);
    await calls.signIn(wallet);
    expect(await calls.statusOf(carried)).toEqual([401, 401]);
  });

  test('sessions of the same account by another wallet stay when a wallet signs with its key', async () => {
    const [own, other] = [newWallet(), newWallet()];
    const owner = await calls.signIn(own);
    const carried = await calls.link(owner.body.token.accessToken, other, foreign);
    expect(carried.status).toBe(200);
    const through = await calls.pretend(other, foreign);
    expect(through.body.user.id).toBe(owner.body.user.id);
    await calls.signIn(other);
    expect(await calls.statusOf(through)).toEqual([401, 401]);
    expect(await calls.statusOf(carried)).toEqual([200, 200]);
  });

  test('linking by key ends the sessions through the node although the wallet belongs to their account', async () => {
    const wallet = newWallet();
    const stranger = await calls.pretend(wallet, foreign);
    const refused = await calls.link(await newToken(), wallet);
    expect([refused.status, refused.body.code]).toEqual([409, 'auth.walletUsed']);
    expect(await calls.statusOf(stranger)).toEqual([401, 401]);
    expect((await calls.pretend(wallet, foreign)).status).toBe(401);
  });

  describe('while the owner signs in by key', () => {
    test('a sign-in that waits for the node is refused once the node responds', async () => {
      const wallet = newWallet();
      const release = node.hold();
      const stranger = calls.pretend(wallet, foreign);
      await until('the node is asked', () => node.calls.includes('eth_call'));
      const owner = await calls.signIn(wallet);
      release();
      const answer = await stranger;
      expect([answer.status, answer.body.code]).toEqual([401, 'auth.signatureInvalid']);
      expect(await calls.statusOf(owner)).toEqual([200, 200]);
    });

    test('a linking that waits for the node is refused once the node responds', async () => {
      const wallet = newWallet();
      const token = await newToken();
      const release = node.hold();
      const stranger = calls.link(token, wallet, foreign);
      await until('the node is asked', () => node.calls.includes('eth_call'));
      const owner = await calls.signIn(wallet);
      release();
      const answer = await stranger;
      expect([answer.status, answer.body.code]).toEqual([401, 'auth.signatureInvalid']);
      expect(await calls.statusOf(owner)).toEqual([200, 200]);
    });

    test('a confirmation that waits for the node is refused once the node responds', async () => {
      const wallet = newWallet();
      const token = await newToken();
      expect((await calls.link(token, wallet, foreign)).status).toBe(200);
      expect((await calls.confirm(token, wallet, foreign)).status).toBe(200);
      node.calls.splice(0);
      const release = node.hold();
      const stranger = calls.confirm(token, wallet, foreign);
      await until('the node is asked', () => node.calls.includes('eth_call'));
      await calls.signIn(wallet);
      release();
      const answer = await stranger;
      expect([answer.status, answer.body.code]).toEqual([401, 'auth.signatureInvalid']);
    });

    test('of twenty sessions through the node none survives, whichever comes first', async () => {
      for (let round = 0; round < 5; round++) {
        const wallet = newWallet();
        if (round % 2 === 0) await ownerFromBefore(wallet);
        const through = Array.from({ length: 4 }, () => calls.pretend(wallet, foreign));
        const owner = await calls.signIn(wallet);
        expect(owner.status).toBe(200);
        for (const answer of await Promise.all(through)) {
          if (answer.status === 200) expect(await calls.statusOf(answer)).toEqual([401, 401]);
          else expect([answer.status, answer.body.code]).toEqual([401, 'auth.signatureInvalid']);
        }
        expect(await calls.statusOf(owner)).toEqual([200, 200]);
      }
    });
  });
});

describe('in production without ETH_RPC_URL', () => {
  let node: LyingNode;
  let portal: TestApp;
  let calls: ReturnType<typeof callsOf>;
  beforeAll(async () => {
    node = await startLyingNode();
    portal = await startTestApp(production);
    calls = callsOf(portal);
    // Requests to the public node, which tests cannot reach, go to the lying one.
    const fetchAnywhere = globalThis.fetch;
    jest.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      const isPublicNode = String(input).startsWith('https://ethereum-rpc.publicnode.com');
      return fetchAnywhere(isPublicNode ? node.url : input, init);
    });
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await portal.close();
    await node.stop();
  });

  test.each(wellFormed)(
    'a signature %s that the key did not make gets 401 and names ETH_RPC_URL, without a call to the public node',
    async (_, signature) => {
      const answer = await calls.pretend(newWallet(), signature);
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({
        code: 'auth.smartAccountsUnavailable',
        message:
          'The signature doesn’t match the address, and this portal can’t check smart accounts: ETH_RPC_URL isn’t set',
      });
      expect(node.calls).toEqual([]);
    },
  );

  test('a signature that no account can have made is refused as invalid', async () => {
    const answer = await calls.pretend(newWallet(), '0x12');
    expect([answer.status, answer.body.code]).toEqual([401, 'auth.signatureInvalid']);
    expect(node.calls).toEqual([]);
  });

  test('a wallet signs in by its key', async () => {
    expect((await calls.signIn(newWallet())).status).toBe(200);
  });
});
