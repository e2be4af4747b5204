import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SiweMessage } from '@orange-id/contract/identity.schema';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import { parseSignature, serializeCompactSignature, signatureToCompactSignature, size } from 'viem';
import type { Address, Hex } from 'viem';
import { WAITS, waits } from '../../config/waits.js';
import { holdIdentity } from '../../auth/account.locks.js';
import { Anvil, startAnvil } from '../../testing/anvil.js';
import { addressArgument, deploy, factoryOf } from '../../testing/test.accounts.js';
import { Answer, startTestApp, TestApp } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';

const newWallet = () => privateKeyToAccount(generatePrivateKey());

/**
 * Signs the EIP-4361 text of exactly these fields. The text is written by hand, independently of the code under test.
 */
const sign = (wallet: PrivateKeyAccount, message: SiweMessage) =>
  wallet.signMessage({
    message: [
      `${message.domain} wants you to sign in with your Ethereum account:`,
      message.address,
      '',
      ...(message.statement === undefined ? [] : [message.statement]),
      '',
      `URI: ${message.uri}`,
      `Version: ${message.version}`,
      `Chain ID: ${message.chainId}`,
      `Nonce: ${message.nonce}`,
      `Issued At: ${message.issuedAt}`,
    ].join('\n'),
  });

describe('wallet sign-in', () => {
  let node: Anvil;
  let portal: TestApp;
  let host: string;
  beforeAll(async () => {
    node = await startAnvil();
    portal = await startTestApp({ ETH_RPC_URL: node.url });
    host = new URL(portal.url).host;
  });
  afterAll(async () => {
    await portal.close();
    await node.stop();
  });

  const nonce = async (): Promise<string> => (await portal.call('GET', '/api/v1/message/nonce')).body.nonce;
  const messageFor = async (
    wallet: PrivateKeyAccount,
    more: Partial<SiweMessage> = {},
  ): Promise<SiweMessage> => ({
    domain: host,
    address: wallet.address,
    statement: 'Sign in to Bedrock Passport',
    uri: portal.url,
    version: '1',
    chainId: 1,
    nonce: await nonce(),
    issuedAt: new Date().toISOString(),
    ...more,
  });
  const verify = (body: object): Promise<Answer> => portal.call('POST', '/api/v1/message/verify', { body });
  const signIn = async (wallet: PrivateKeyAccount): Promise<Answer> => {
    const message = await messageFor(wallet);
    return verify({ message, signature: await sign(wallet, message), tenantId: 'orange-0000000000' });
  };

  /**
   * Sends a signed message 100 times at once. An overloaded machine may answer any of them, the first too, with 503; and
   * only so many may wait for the node.
   */
  async function replay(body: object): Promise<void> {
    const answers = await Promise.all(Array.from({ length: 100 }, () => verify(body)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    const refused = answers.filter(({ status }) => status !== 200 && status !== 503);
    const expected = ['auth.nonceInvalid', 'service.tooManyCalls'];
    expect(refused.filter(({ body: { code } }) => !expected.includes(code as string))).toEqual([]);
    await until('the nonce is refused', async () => (await verify(body)).body.code === 'auth.nonceInvalid');
  }

  describe('GET /api/v1/message/nonce', () => {
    test('returns 200 with 128 bits, different each time, uncached', async () => {
      const answer = await portal.call('GET', '/api/v1/message/nonce');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.body.nonce).toMatch(/^[0-9a-f]{32}$/);
      expect(Math.abs(Date.parse(answer.body.now) - Date.now())).toBeLessThan(60_000);
      expect(new Date(answer.body.now).toISOString()).toBe(answer.body.now);
      expect(await nonce()).not.toBe(answer.body.nonce);
    });

    test('expired nonces are deleted by later requests', async () => {
      await portal.db.query(
        `insert into nonces select 'old' || n, now() - interval '1 minute' from generate_series(1, 150) n`,
      );
      await nonce();
      await nonce();
      const [{ count }] = await portal.db.query(`select count(*)::int from nonces where nonce like 'old%'`);
      expect(count).toBe(0);
    });
  });

  describe('POST /api/v1/message/verify', () => {
    test('returns 200: the account has the wallet’s address, no email address and no name', async () => {
      const wallet = newWallet();
      const answer = await signIn(wallet);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const user = await portal.call('GET', '/api/v1/auth/user', { token: answer.body.token.accessToken });
      expect(user.body).toMatchObject({
        id: answer.body.user.id,
        email: null,
        displayName: null,
        name: null,
        userName: null,
        ethAddress: wallet.address,
        provider: 'wallet',
      });
    });

    test('a compact signature (EIP-2098) of 64 bytes counts like the same one of 65 bytes, whatever its parity', async () => {
      const parities = new Set<string>();
      while (parities.size < 2) {
        const wallet = newWallet();
        const message = await messageFor(wallet);
        const full = parseSignature((await sign(wallet, message)) as Hex);
        const signature = serializeCompactSignature(signatureToCompactSignature(full));
        expect(size(signature)).toBe(64);
        const answer = await verify({ message, signature });
        expect(answer.status).toBe(200);
        expect((await signIn(wallet)).body.user.id).toBe(answer.body.user.id);
        const other = await messageFor(newWallet());
        expect((await verify({ message: other, signature })).body.code).toBe('auth.signatureInvalid');
        parities.add(String(full.yParity));
      }
    });

    test('the same wallet signs in to the same account, and another wallet to another account', async () => {
      const wallet = newWallet();
      const first = await signIn(wallet);
      expect((await signIn(wallet)).body.user.id).toBe(first.body.user.id);
      expect((await signIn(newWallet())).body.user.id).not.toBe(first.body.user.id);
    });

    test('ten concurrent first sign-ins of one wallet create one account', async () => {
      const wallet = newWallet();
      const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(wallet)));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
      const [{ count }] = await portal.db.query('select count(*)::int from users where eth_address = $1', [
        wallet.address,
      ]);
      expect(count).toBe(1);
    });

    test('a sign-in waits while another request holds the wallet, and first records that its key has signed', async () => {
      const wallet = newWallet();
      const isProven = async () =>
        (await portal.db.query('select from key_proven_wallets where address = $1', [wallet.address]))
          .length > 0;
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      for (const wasProven of [false, true]) {
        const begun: Promise<Answer>[] = [];
        await portal.db.transaction(async (manager) => {
          await holdIdentity(manager, 'wallet', wallet.address);
          begun.push(signIn(wallet));
          await until('the sign-in waits', async () => (await portal.db.query(waiting)).length > 0);
          expect(await isProven()).toBe(wasProven);
        });
        expect((await Promise.all(begun)).map(({ status }) => status)).toEqual([200]);
        expect(await isProven()).toBe(true);
      }
    });

    test('the tenant is optional, as it is for linking', async () => {
      const wallet = newWallet();
      const message = await messageFor(wallet);
      expect((await verify({ message, signature: await sign(wallet, message) })).status).toBe(200);
    });

    test('of 100 concurrent replays of one signed message at most one signs in', async () => {
      const wallet = newWallet();
      const message = await messageFor(wallet);
      await replay({ message, signature: await sign(wallet, message) });
      const sessions = await portal.db.query(
        'select 1 from refresh_tokens where user_id = (select id from users where eth_address = $1)',
        [wallet.address],
      );
      expect(sessions.length).toBeLessThanOrEqual(1);
    });

    describe('returns 401 for a message the wallet signed with one wrong field', () => {
      const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
      test.each<[string, (own: { host: string; url: string }) => Partial<SiweMessage>]>([
        ['domain of another site', () => ({ domain: 'evil.example' })],
        ['domain with another port', () => ({ domain: 'localhost:1' })],
        ['domain without the port', () => ({ domain: 'localhost' })],
        ['domain that begins like ours', ({ host: own }) => ({ domain: `${own}.evil.example` })],
        ['uri of another site', () => ({ uri: 'https://evil.example' })],
        ['uri with userinfo', ({ host: own }) => ({ uri: `http://evil@${own}` })],
        ['uri with a backslash', ({ url }) => ({ uri: `${url}\\@evil.example` })],
        ['uri with another scheme', ({ host: own }) => ({ uri: `https://${own}` })],
        ['uri that begins like ours', ({ url }) => ({ uri: `${url}.evil.example` })],
        ['uri with a path', ({ url }) => ({ uri: `${url}/login` })],
        ['uri with a slash at its end', ({ url }) => ({ uri: `${url}/` })],
        ['uri in capitals', ({ url }) => ({ uri: url.toUpperCase() })],
        ['uri with a line break', ({ url }) => ({ uri: `${url}\nChain ID: 1` })],
        ['another version', () => ({ version: '2' })],
        ['another chain', () => ({ chainId: 137 })],
        ['chain zero', () => ({ chainId: 0 })],
        ['another statement', () => ({ statement: 'Send all my money' })],
        ['no statement', () => ({ statement: undefined })],
        ['issued 6 minutes ago', () => ({ issuedAt: minutes(-6) })],
        ['issued in 6 minutes', () => ({ issuedAt: minutes(6) })],
        ['a nonce of its own', () => ({ nonce: 'abcdef0123456789abcdef0123456789' })],
      ])('%s', async (_, change) => {
        const wallet = newWallet();
        const message = { ...(await messageFor(wallet)), ...change({ host, url: portal.url }) };
        const answer = await verify({ message, signature: await sign(wallet, message) });
        expect(answer.status).toBe(401);
        expect(answer.body.code).toMatch(/^auth\.(messageInvalid|nonceInvalid)$/);
      });
    });

    describe('returns 401 for one field changed after signing', () => {
      test.each<[string, (message: SiweMessage) => Promise<Partial<SiweMessage>>, Partial<SiweMessage>?]>([
        ['address', async () => ({ address: newWallet().address })],
        ['nonce', async () => ({ nonce: await nonce() })],
        [
          'issuedAt',
          async (message) => ({ issuedAt: new Date(Date.parse(message.issuedAt) - 1).toISOString() }),
        ],
        // The sent values are valid, but the signed ones differ.
        ['domain', async () => ({ domain: host }), { domain: 'evil.example' }],
        ['uri', async () => ({ uri: portal.url }), { uri: 'https://evil.example' }],
        ['version', async () => ({ version: '1' }), { version: '2' }],
        ['chainId', async () => ({ chainId: 1 }), { chainId: 137 }],
        ['statement', async () => ({ statement: 'Sign in to Bedrock Passport' }), { statement: 'Hello' }],
      ])('%s', async (_, change, before = {}) => {
        const wallet = newWallet();
        const message = await messageFor(wallet, before);
        const signature = await sign(wallet, message);
        const answer = await verify({ message: { ...message, ...(await change(message)) }, signature });
        expect(answer.status).toBe(401);
        expect(answer.body.code).toBe('auth.signatureInvalid');
      });
    });

    test.each<[string, (wallet: PrivateKeyAccount) => Partial<SiweMessage>]>([
      ['lower-case address', (wallet) => ({ address: wallet.address.toLowerCase() })],
      ['address in capitals', (wallet) => ({ address: `0x${wallet.address.slice(2).toUpperCase()}` })],
      ['not an address', () => ({ address: '0x1234' })],
      ['issuedAt without milliseconds', () => ({ issuedAt: `${new Date().toISOString().slice(0, 19)}Z` })],
      ['issuedAt that is no time', () => ({ issuedAt: 'yesterday' })],
      ['a nonce with a null byte', () => ({ nonce: 'abcdefgh\u0000abcdefgh' })],
      ['a nonce with a line break', () => ({ nonce: 'abcdefgh\nChain ID: 1' })],
      ['an empty nonce', () => ({ nonce: '' })],
    ])('returns 401 for %s', async (_, change) => {
      const wallet = newWallet();
      const message = await messageFor(wallet);
      const signature = await sign(wallet, message);
      const answer = await verify({ message: { ...message, ...change(wallet) }, signature });
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('auth.messageInvalid');
    });

    test.each([
      ['of another wallet', async (message: SiweMessage) => sign(newWallet(), message)],
      ['of nothing', async () => '0x'],
      ['too short', async () => '0x1234'],
      ['zeros', async () => `0x${'0'.repeat(130)}`],
      ['all ones', async () => `0x${'f'.repeat(130)}`],
      ['longer than a key’s', async () => `0x${'12'.repeat(300)}`],
      ['of no smart account', async () => `0x${'12'.repeat(300)}${'64926492'.repeat(8)}`],
      ['as long as may be', async () => `0x${'12'.repeat(16_384)}`],
    ])('returns 401 for a signature %s, and consumes its nonce', async (_, make) => {
      const wallet = newWallet();
      const message = await messageFor(wallet);
      const answer = await verify({ message, signature: await make(message) });
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('auth.signatureInvalid');
      const again = await verify({ message, signature: await sign(wallet, message) });
      expect(again.body.code).toBe('auth.nonceInvalid');
    });

    test('returns 401 for a nonce older than 5 minutes', async () => {
      const wallet = newWallet();
      const message = await messageFor(wallet);
      await portal.db.query(`update nonces set expires_at = now() where nonce = $1`, [message.nonce]);
      const answer = await verify({ message, signature: await sign(wallet, message) });
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({
        code: 'auth.nonceInvalid',
        message: 'The nonce is unknown, already used or older than 5 minutes. Request a new one',
      });
    });

    test('returns 401 for another tenant', async () => {
      const wallet = newWallet();
      const message = await messageFor(wallet);
      const signature = await sign(wallet, message);
      const answer = await verify({ message, signature, tenantId: 'orange-1111111111' });
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({
        code: 'auth.tenantUnknown',
        message:
          'No project has this tenantId (given "orange-1111111111"). Copy the project ID from My Projects',
      });
    });

    test.each<[string, () => Partial<SiweMessage>, () => string]>([
      ['domain', () => ({ domain: 'evil.example' }), () => `domain must be "${host}" (given "evil.example")`],
      [
        'uri',
        () => ({ uri: `${portal.url}/login` }),
        () => `uri must be "${portal.url}" (given "${portal.url}/login")`,
      ],
      ['chainId', () => ({ chainId: 137 }), () => 'chainId must be 1 (given 137)'],
    ])('the error names the %s, its required and its actual value', async (_, change, problem) => {
      const wallet = newWallet();
      const message = await messageFor(wallet, change());
      const answer = await verify({ message, signature: await sign(wallet, message) });
      expect(answer.body.message).toBe(`The signed message isn’t one this portal accepts: ${problem()}`);
    });

    test.each([
      ['a message as text', { message: 'localhost wants you to sign in', signature: '0x12' }],
      ['nothing', {}],
    ])('returns 400 for %s', async (_, body) => {
      const answer = await verify(body);
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe('request.invalid');
    });

    test.each([
      ['that is not hex', 'hello', 'must be 0x followed by two hex digits for each byte'],
      ['of half a byte', '0x123', 'must be 0x followed by two hex digits for each byte'],
      [
        'of more than 16 KiB',
        `0x${'12'.repeat(16_385)}`,
        'must have at most 16384 bytes, two hex digits each',
      ],
    ])('returns 400 for a signature %s', async (_, signature, problem) => {
      const answer = await verify({ message: await messageFor(newWallet()), signature });
      expect(answer.status).toBe(400);
      expect(answer.body.details).toEqual([
        expect.objectContaining({ path: 'signature', message: expect.stringContaining(problem) }),
      ]);
    });

    test('returns 400 for an unknown field', async () => {
      const wallet = newWallet();
      const message = { ...(await messageFor(wallet)), resources: ['https://evil.example'] };
      expect((await verify({ message, signature: await sign(wallet, message) })).status).toBe(400);
    });
  });

  describe('POST /api/v1/message/verify for smart accounts', () => {
    /** The message of an account, signed with a key. */
    const signedFor = async (account: Address, key: PrivateKeyAccount, more: Partial<SiweMessage> = {}) => {
      const message = { ...(await messageFor(key)), address: account, ...more };
      return { message, signature: await sign(key, message) };
    };

    test('returns 200 for a smart account on the chain, by its owner’s signature; the same user each time', async () => {
      const owner = newWallet();
      const account = await deploy(node, 'OwnedAccount', addressArgument(owner.address));
      const answer = await verify(await signedFor(account, owner));
      expect(answer.status).toBe(200);
      const user = await portal.call('GET', '/api/v1/auth/user', { token: answer.body.token.accessToken });
      expect(user.body).toMatchObject({ ethAddress: account, provider: 'wallet' });
      expect((await verify(await signedFor(account, owner))).body.user.id).toBe(answer.body.user.id);
      // The owner's own address signs in to another account.
      expect((await signIn(owner)).body.user.id).not.toBe(answer.body.user.id);
    });

    test('returns 200 for a smart account that is not deployed yet, and the same user afterwards', async () => {
      const owner = newWallet();
      const factory = await factoryOf(node);
      const account = await factory.addressOf(owner.address);
      const early = await signedFor(account, owner);
      const before = await verify({ ...early, signature: factory.wrap(owner.address, early.signature) });
      expect(before.status).toBe(200);
      await factory.create(owner.address);
      const after = await verify(await signedFor(account, owner));
      expect(after.body.user.id).toBe(before.body.user.id);
    });

    test('returns 401 if another key signs for the account', async () => {
      const owner = newWallet();
      const factory = await factoryOf(node);
      const [deployed, future] = [
        await deploy(node, 'OwnedAccount', addressArgument(owner.address)),
        await factory.addressOf(owner.address),
      ];
      const thief = newWallet();
      for (const [account, wrap] of [
        [deployed, (signature: Hex) => signature],
        [future, (signature: Hex) => signature],
        [future, (signature: Hex) => factory.wrap(owner.address, signature)],
        [future, (signature: Hex) => factory.wrap(thief.address, signature)],
      ] as const) {
        const { message, signature } = await signedFor(account, thief);
        const body = { message, signature: wrap(signature) };
        const answer = await verify(body);
        expect(answer.status).toBe(401);
        expect(answer.body.code).toBe('auth.signatureInvalid');
      }
    });

    describe('returns 401 for one field changed after an account, deployed or not, has signed', () => {
      test.each<[string, (message: SiweMessage) => Promise<Partial<SiweMessage>>]>([
        ['domain', async () => ({ domain: 'evil.example' })],
        ['address', async () => ({ address: newWallet().address })],
        ['statement', async () => ({ statement: 'Send all my money' })],
        ['uri', async () => ({ uri: 'https://evil.example' })],
        ['chainId', async () => ({ chainId: 137 })],
        ['version', async () => ({ version: '2' })],
        ['nonce', async () => ({ nonce: await nonce() })],
        [
          'issuedAt',
          async ({ issuedAt }) => ({ issuedAt: new Date(Date.parse(issuedAt) - 1).toISOString() }),
        ],
      ])('%s', async (_, change) => {
        const owner = newWallet();
        const factory = await factoryOf(node);
        const deployed = await deploy(node, 'OwnedAccount', addressArgument(owner.address));
        const future = await factory.addressOf(owner.address);
        for (const [account, wrap] of [
          [deployed, (signature: Hex) => signature],
          [future, (signature: Hex) => factory.wrap(owner.address, signature)],
        ] as const) {
          const { message, signature } = await signedFor(account, owner);
          const changed = { ...message, ...(await change(message)) };
          const answer = await verify({ message: changed, signature: wrap(signature) });
          expect(answer.status).toBe(401);
          expect(answer.body.code).toMatch(/^auth\.(messageInvalid|signatureInvalid)$/);
        }
      });
    });

    test('of 100 concurrent replays of one account’s message at most one signs in', async () => {
      const owner = newWallet();
      const account = await deploy(node, 'OwnedAccount', addressArgument(owner.address));
      await replay(await signedFor(account, owner));
    });

    test('returns 503 if the node does not respond: nobody is signed in, the nonce is consumed, and keys still sign in', async () => {
      const owner = newWallet();
      const account = await deploy(node, 'OwnedAccount', addressArgument(owner.address));
      const body = await signedFor(account, owner);
      const shortened = portal.app.get(WAITS);
      await node.freeze();
      shortened.chainMs = 200;
      try {
        const answer = await verify(body);
        expect(answer.status).toBe(503);
        expect(answer.headers.get('retry-after')).toBe('1');
        expect(answer.body.code).toBe('chain.unavailable');
        expect((await signIn(owner)).status).toBe(200);
      } finally {
        shortened.chainMs = waits.chainMs;
        node.thaw();
      }
      const found = await portal.db.query('select 1 from users where eth_address = $1', [account]);
      expect(found).toEqual([]);
      expect((await verify(body)).body.code).toBe('auth.nonceInvalid');
      expect((await verify(await signedFor(account, owner))).status).toBe(200);
    }, 20_000);
  });
});
