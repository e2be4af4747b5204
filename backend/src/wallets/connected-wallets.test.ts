import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { SiweMessage } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import { Anvil, startAnvil } from '../testing/anvil.js';
import { startHostedIdentity } from '../testing/hosted.identity.js';
import { startLyingNode } from '../testing/lying.node.js';
import { seedKey, SeededKey } from '../testing/seed.key.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { signedMessage } from '../testing/signed.message.js';
import { addressArgument, deploy } from '../testing/test.accounts.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { ConnectedWalletsService } from './connected-wallets.service.js';

const newWallet = () => privateKeyToAccount(generatePrivateKey());

interface Signed {
  message: SiweMessage;
  signature: string;
}

describe('a wallet connected through a project’s key', () => {
  let portal: TestApp;
  let node: Anvil;
  let owner: SignedUp;
  let shop: SeededKey;
  let site: string;
  beforeAll(async () => {
    node = await startAnvil();
    portal = await startTestApp({ ETH_RPC_URL: node.url });
    owner = await signUp(portal);
    shop = await seedKey(portal, { userId: owner.userId });
    site = portal.environment.PUBLIC_URL;
  });
  afterAll(async () => {
    await portal.close();
    await node.stop();
  });

  const messageFor = (address: string, { key } = shop) =>
    portal.call('GET', `/api/v1/wallet/message?address=${address}`, { headers: { 'x-api-key': key } });
  const connect = (body: unknown, { key } = shop) =>
    portal.call('POST', '/api/v1/wallet/connect', { headers: { 'x-api-key': key }, body });
  const sign = async (wallet: PrivateKeyAccount, seeded = shop): Promise<Signed> => {
    const { message, text } = (await messageFor(wallet.address, seeded)).body;
    return { message, signature: await wallet.signMessage({ message: text }) };
  };
  const list = (query = '', { token } = owner, { project } = shop) =>
    portal.call('GET', `/api/projects/${project?.code}/wallets${query}`, { token });

  test('is recorded once with the times of its first and last connection, and only the project’s owner sees it', async () => {
    const seeded = await seedKey(portal, { userId: owner.userId });
    const wallet = newWallet();
    const first = await connect(await sign(wallet, seeded), seeded);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ project: seeded.project?.code, address: wallet.address });
    expect(first.body.first_connected_at).toBe(first.body.last_connected_at);
    const again = await connect(await sign(wallet, seeded), seeded);
    expect(again.body.first_connected_at).toBe(first.body.first_connected_at);
    expect(Date.parse(again.body.last_connected_at)).toBeGreaterThan(
      Date.parse(first.body.last_connected_at),
    );
    expect((await list('', owner, seeded)).body).toEqual({
      wallets: [
        {
          address: wallet.address,
          firstConnectedAt: first.body.first_connected_at,
          lastConnectedAt: again.body.last_connected_at,
        },
      ],
      total: 1,
      next: null,
    });
    const stranger = await list('', await signUp(portal), seeded);
    expect([stranger.status, stranger.body.code]).toEqual([404, 'project.notFound']);
  });

  test('the message names the portal, the project and the wallet, and says that it signs in nowhere', async () => {
    const { address } = newWallet();
    const { status, body } = await messageFor(address.toLowerCase());
    expect(status).toBe(200);
    expect(body.text).toBe(
      [
        `${new URL(site).host} wants you to sign in with your Ethereum account:`,
        address,
        '',
        `Connect this wallet to the project ${shop.project?.code}. This does not sign you in or send a transaction.`,
        '',
        `URI: ${site}`,
        'Version: 1',
        'Chain ID: 1',
        `Nonce: ${body.message.nonce}`,
        `Issued At: ${body.message.issuedAt}`,
      ].join('\n'),
    );
  });

  test('of 30 concurrent replays of one message at most one connects, and none after it', async () => {
    const signed = await sign(newWallet());
    const answers = await Promise.all(Array.from({ length: 30 }, () => connect(signed)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    const refused = answers.filter(({ status }) => status !== 200 && status !== 503);
    expect(refused.filter(({ body }) => body.code !== 'auth.nonceInvalid')).toEqual([]);
    expect((await connect(signed)).body.code).toBe('auth.nonceInvalid');
  });

  test('a nonce is used up by a wrong signature, and expires', async () => {
    const wallet = newWallet();
    const { message, signature } = await sign(wallet);
    const other = await newWallet().signMessage({ message: 'something else' });
    expect((await connect({ message, signature: other })).body.code).toBe('auth.signatureInvalid');
    expect((await connect({ message, signature })).body.code).toBe('auth.nonceInvalid');
    const late = await sign(wallet);
    await portal.db.query('update nonces set expires_at = now() where nonce = $1', [late.message.nonce]);
    expect((await connect(late)).body.code).toBe('auth.nonceInvalid');
  });

  test.each<[string, Partial<SiweMessage>]>([
    ['domain', { domain: 'evil.example' }],
    ['uri', { uri: 'https://evil.example' }],
    ['version', { version: '2' }],
    ['chainId', { chainId: 137 }],
    ['statement', { statement: 'Send all my money' }],
    ['issuedAt', { issuedAt: '2020-01-01T00:00:00.000Z' }],
    ['address', { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }],
    ['nonce', { nonce: 'abcdef0123456789abcdef0123456789' }],
  ])('with another %s than was signed it returns 401 and records nothing', async (_, change) => {
    const wallet = newWallet();
    const { message, signature } = await sign(wallet);
    const answer = await connect({ message: { ...message, ...change }, signature });
    expect(answer.status).toBe(401);
    expect(answer.body.code).toMatch(/^auth\.(messageInvalid|nonceInvalid|signatureInvalid)$/);
    expect((await list('?limit=200')).text).not.toContain(wallet.address);
  });

  test('a signature that connects it is refused for sign-in, and a sign-in signature does not connect it', async () => {
    const wallet = newWallet();
    const signed = await sign(wallet);
    const signIn = await portal.call('POST', '/api/v1/message/verify', { body: signed });
    expect([signIn.status, signIn.body.code]).toEqual([401, 'auth.messageInvalid']);
    const rewritten = { ...signed, message: { ...signed.message, statement: 'Sign in to Bedrock Passport' } };
    const pretended = await portal.call('POST', '/api/v1/message/verify', { body: rewritten });
    expect([pretended.status, pretended.body.code]).toEqual([401, 'auth.signatureInvalid']);
    const forSignIn = await signedMessage({ call: portal.call, url: site }, wallet);
    expect((await connect(forSignIn)).body.code).toBe('auth.messageInvalid');
  });

  test('connecting it creates no user, no sign-in method and no session', async () => {
    const wallet = newWallet();
    const count = async () =>
      (
        await portal.db.query(
          `select (select count(*) from users) as users, (select count(*) from linked_identities) as linked,
             (select count(*) from refresh_tokens) as sessions, (select count(*) from key_proven_wallets) as proven`,
        )
      )[0];
    const before = await count();
    expect((await connect(await sign(wallet))).status).toBe(200);
    expect(await count()).toEqual(before);
    const user = await portal.call('GET', '/api/v1/auth/user', { token: owner.token });
    expect(user.body.ethAddress).toBeNull();
  });

  test('is not recorded for a project deleted since the key was looked up', async () => {
    const recording = portal.app.get(ConnectedWalletsService)['record']('orange-none', newWallet().address);
    await expect(recording).rejects.toMatchObject({ code: 'key.deleted', statusCode: 401 });
  });

  test('a message for one project does not connect it to another', async () => {
    const other = await seedKey(portal, { userId: owner.userId });
    const answer = await connect(await sign(newWallet()), other);
    expect([answer.status, answer.body.code]).toEqual([401, 'auth.messageInvalid']);
    expect(answer.body.message).toContain(other.project?.code as string);
  });

  test('returns 400 for a key without a project, a malformed body and a malformed address, saying what to do', async () => {
    const saved = await seedKey(portal, { isSaved: true });
    for (const answer of [
      await messageFor(newWallet().address, saved),
      await connect(await sign(newWallet()), saved),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'wallet.projectRequired']);
    }
    const { message } = await sign(newWallet());
    const missing = await connect({ message });
    expect(missing.body).toMatchObject({ code: 'request.invalid', details: [{ path: 'signature' }] });
    expect((await connect({ message, signature: '0x12', more: 1 })).status).toBe(400);
    expect((await connect([])).status).toBe(400);
    expect((await messageFor('0x12')).body.code).toBe('wallet.addressInvalid');
    const without = await portal.call('GET', '/api/v1/wallet/message', {
      headers: { 'x-api-key': shop.key },
    });
    expect(without.body.message).toBe('address: is required');
  });

  test('returns 415 for a body that isn’t JSON and 413 for one of 70 KB, recorded for the owner', async () => {
    const seeded = await seedKey(portal);
    const post = (headers: Record<string, string>, body: string) =>
      fetch(`${portal.url}/api/v1/wallet/connect`, {
        method: 'POST',
        headers: { 'x-api-key': seeded.key, ...headers },
        body,
      });
    const answers = [
      await post({ 'content-type': 'text/plain' }, 'hello'),
      await post({ 'content-type': 'application/x-www-form-urlencoded' }, 'a=1'),
      await post({ 'content-type': 'application/json' }, JSON.stringify('x'.repeat(70_000))),
      await post({ 'content-type': 'application/json' }, '{"message":'),
      await post({ 'content-type': 'application/json' }, '{"__proto__":{"x":1}}'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([415, 415, 413, 400, 400]);
    const rows: { endpoint: string; method: string; error_code: string }[] = await portal.db.query(
      'select endpoint, method, error_code from api_usage where user_id = $1 order by seq',
      [seeded.userId],
    );
    const row = { endpoint: '/api/v1/wallet/connect', method: 'POST' };
    expect(rows).toEqual([
      { ...row, error_code: 'request.typeUnsupported' },
      { ...row, error_code: 'request.typeUnsupported' },
      { ...row, error_code: 'request.tooLarge' },
      { ...row, error_code: 'request.invalid' },
      { ...row, error_code: 'request.invalid' },
    ]);
  });

  test('of a smart account is accepted if the node confirms its signature, and refused otherwise', async () => {
    const holder = newWallet();
    const account = await deploy(node, 'OwnedAccount', addressArgument(holder.address));
    const { message, text } = (await messageFor(account)).body;
    const stranger = await newWallet().signMessage({ message: text });
    expect((await connect({ message, signature: stranger })).body.code).toBe('auth.signatureInvalid');
    const next = (await messageFor(account)).body;
    const signature = await holder.signMessage({ message: next.text });
    const answer = await connect({ message: next.message, signature });
    expect([answer.status, answer.body.address]).toEqual([200, account]);
  });

  test('the list comes in pages without a gap or a repetition, newest first', async () => {
    const seeded = await seedKey(portal, { userId: owner.userId });
    await portal.db.query(
      `insert into connected_wallets
       select $1, '0x' || lpad(n::text, 40, '0'), at, at from generate_series(1, 25) n,
         lateral (select timestamptz '2026-01-01' + make_interval(secs => n / 3) as at) t`,
      [seeded.project?.id],
    );
    const seen: string[] = [];
    let query = '?limit=7';
    for (let page = 0; page < 4; page++) {
      const { status, body } = await list(query, owner, seeded);
      expect([status, body.total]).toEqual([200, 25]);
      seen.push(...body.wallets.map(({ address }: { address: string }) => address));
      query = `?limit=7&after=${body.next}`;
      if (page === 3) expect(body.next).toBeNull();
    }
    const newestFirst = await portal.db.query(
      'select address from connected_wallets where project_id = $1 order by last_connected_at desc, address',
      [seeded.project?.id],
    );
    expect(seen).toEqual(newestFirst.map(({ address }: { address: string }) => address));
  });

  test.each(['limit=0', 'limit=201', 'limit=x', 'after=x', 'after=1-0x12', 'page=2'])(
    'the list returns 400 for %s',
    async (query) => {
      expect((await list(`?${query}`)).body.code).toBe('request.invalid');
    },
  );

  test('connecting beyond the maximum of a project drops the oldest wallet', async () => {
    const seeded = await seedKey(portal, { userId: owner.userId });
    await portal.db.query(
      `insert into connected_wallets
       select $1, '0x' || lpad(n::text, 40, '0'), at, at from generate_series(1, $2::int) n,
         lateral (select timestamptz '2026-01-01' + make_interval(secs => n) as at) t`,
      [seeded.project?.id, limits.connectedWalletsPerProject],
    );
    const wallet = newWallet();
    expect((await connect(await sign(wallet, seeded), seeded)).status).toBe(200);
    const { body } = await list('?limit=1', owner, seeded);
    expect(body).toMatchObject({
      wallets: [{ address: wallet.address }],
      total: limits.connectedWalletsPerProject,
    });
    const [{ count }] = await portal.db.query(
      `select count(*)::int from connected_wallets where project_id = $1 and address = '0x' || lpad('1', 40, '0')`,
      [seeded.project?.id],
    );
    expect(count).toBe(0);
  });

  test('20 wallets that connect concurrently to an almost full project all arrive, and it keeps its maximum', async () => {
    const seeded = await seedKey(portal);
    await portal.db.query(
      `insert into connected_wallets
       select $1, '0x' || lpad(n::text, 40, '0'), at, at from generate_series(1, $2::int) n,
         lateral (select timestamptz '2026-01-01' + make_interval(secs => n) as at) t`,
      [seeded.project?.id, limits.connectedWalletsPerProject - 1],
    );
    const signed = await Promise.all(Array.from({ length: 20 }, () => sign(newWallet(), seeded)));
    const answers = await Promise.all(signed.map((body) => connect(body, seeded)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [{ count }] = await portal.db.query(
      'select count(*)::int from connected_wallets where project_id = $1',
      [seeded.project?.id],
    );
    expect(count).toBe(limits.connectedWalletsPerProject);
  });

  test('returns 429 with Retry-After when one project asks for too many messages', async () => {
    const seeded = await seedKey(portal);
    const { address } = newWallet();
    // Freezes the clock: attempts refill over time, and so many calls take long on a busy machine.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const answers = await Promise.all(
      Array.from({ length: limits.walletConnectsPerMinute + 1 }, () => messageFor(address, seeded)),
    ).finally(() => clock.mockRestore());
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(1);
    expect(limited[0]?.body).toMatchObject({
      code: 'request.rateLimited',
      message: 'The limit of a project is 600 messages and connections a minute. Retry in 1 s.',
    });
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await messageFor(address)).status).toBe(200);
  });
});

test('a project connects a limited number of wallets at once; one more gets 429 and keeps its message valid, and other projects still connect', async () => {
  const node = await startLyingNode();
  const portal = await startTestApp({ ETH_RPC_URL: node.url });
  try {
    const [busy, calm] = [await seedKey(portal), await seedKey(portal)];
    // A smart account's signature: too long for one by a key.
    const signature = `0x${'12'.repeat(70)}`;
    const signed = async ({ key }: SeededKey) => {
      const path = `/api/v1/wallet/message?address=${newWallet().address}`;
      const { message } = (await portal.call('GET', path, { headers: { 'x-api-key': key } })).body;
      return { message, signature };
    };
    const connect = ({ key }: SeededKey, body: Signed) =>
      portal.call('POST', '/api/v1/wallet/connect', { headers: { 'x-api-key': key }, body });
    const bodies = await Promise.all(
      Array.from({ length: limits.nodeCallsAtOncePerOwner + 1 }, () => signed(busy)),
    );
    const last = bodies.pop() as Signed;

    const release = node.hold();
    const held = bodies.map((body) => connect(busy, body));
    const asked = () => node.calls.filter((method) => method === 'eth_call').length;
    await until('the node is asked about each', () => asked() >= limits.nodeCallsAtOncePerOwner);
    const refused = await connect(busy, last);
    expect([refused.status, refused.body.code]).toEqual([429, 'service.tooManyCalls']);
    expect(refused.headers.get('retry-after')).toBe('1');
    const other = connect(calm, await signed(calm));
    await until('the node is asked for the other project', () => asked() > limits.nodeCallsAtOncePerOwner);

    release();
    expect((await other).status).toBe(200);
    expect(new Set((await Promise.all(held)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await connect(busy, last)).status).toBe(200);
  } finally {
    await portal.close();
    await node.stop();
  }
});

test('wallets can be connected with a hosted identity service too', async () => {
  const hosted = await startHostedIdentity();
  const portal = await startTestApp({ IDENTITY_URL: hosted.url, SUBSCRIPTION_KEY: 'a-key' });
  try {
    const { key } = await seedKey(portal);
    const headers = { 'x-api-key': key };
    const wallet = newWallet();
    const path = `/api/v1/wallet/message?address=${wallet.address}`;
    const { message, text } = (await portal.call('GET', path, { headers })).body;
    const body = { message, signature: await wallet.signMessage({ message: text }) };
    const answer = await portal.call('POST', '/api/v1/wallet/connect', { headers, body });
    expect([answer.status, answer.body.address]).toEqual([200, wallet.address]);
    expect(hosted.asked).toEqual([]);
  } finally {
    await portal.close();
    await hosted.stop();
  }
});
