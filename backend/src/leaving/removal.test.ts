import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { newId } from '../database/new.id.js';
import { inBrowserOf } from '../testing/browser.cookie.js';
import { signUp } from '../testing/sign.up.js';
import { signedMessage } from '../testing/signed.message.js';
import { settle } from '../testing/social.browser.js';
import { startTestApp, type TestApp } from '../testing/test.app.js';
import { makeTenant, pageOf } from '../testing/tenant.page.js';
import { TestBrowser } from '../testing/test.browser.js';
import { AccountRemoval } from './account.removal.js';

const site = 'https://app.example.com';
const password = 'a long enough password';

let portal: TestApp;
beforeAll(async () => {
  portal = await startTestApp({ SIGN_IN_LIMIT_PER_ACCOUNT: '1000' });
}, 30_000);
afterAll(() => portal.close());

/** The tables with a row that contains this text in any column, by their names. Rows of calls stay for months. */
async function tablesNaming(text: string): Promise<string[]> {
  const tables = await portal.db.query<{ name: string }[]>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  expect(tables.length).toBeGreaterThan(40);
  const found: string[] = [];
  for (const { name } of tables) {
    if (name === 'api_usage') continue;
    const rows: unknown[] = await portal.db.query(
      `select from ${name} as row where strpos(lower(row::text), lower($1)) > 0 limit 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

test('a removed account leaves no row that names it, and others keep theirs', async () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const stays = await makeTenant(portal, ['https://stays.example.com'], { name: 'Stays' });
  const { owner, code } = await makeTenant(portal, [site], { name: 'Goes' });
  const { userId, email } = owner;
  let { token } = owner;
  const write = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await portal.call(method, path, { token, body, headers });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  await portal.db.query("update users set display_name = 'Goes', email_verified = true where id = $1", [
    userId,
  ]);
  await portal.db.query("update users set display_name = 'Stays' where id = $1", [stays.owner.userId]);

  // Sign-in methods, browsers and requests by mail.
  await portal.call('POST', '/api/v1/auth/email/reset', { body: { email } });
  const message = await signedMessage(portal, wallet);
  const linked = await write(
    'POST',
    '/api/v1/auth/identifier/wallet',
    message,
    await inBrowserOf(portal, token),
  );
  token = linked.token.accessToken;
  await settle(new TestBrowser(portal.url), { token, refreshToken: linked.token.refreshToken });

  // Projects, keys, calls, and people and wallets that connected to the project.
  const projects = (await portal.call('GET', '/devportal/v1/user/projects', { token })).body;
  await write('POST', '/api/keys', { name: 'Saved' });
  const again = await write('POST', '/devportal/v1/project', { projectName: 'Old', whitelistURL: [site] });
  const headers = { 'x-api-key': projects[0].apiKey, origin: site };
  expect((await portal.call('GET', '/api/v1/key', { headers })).status).toBe(200);
  expect((await portal.call('DELETE', `/api/projects/${again.projectId}`, { token })).status).toBe(204);
  const person = { email: stays.owner.email, password };
  await pageOf(portal, site, code).call('POST', '/api/v1/auth/email/login', { body: person });
  const own = { email, password };
  await pageOf(portal, 'https://stays.example.com', stays.code).call('POST', '/api/v1/auth/email/login', {
    body: own,
  });
  const [{ id: projectOfOther }] = await portal.db.query('select id from projects where code = $1', [
    stays.code,
  ]);
  await portal.db.query('insert into connected_wallets values ($1, $2, now(), now())', [
    projectOfOther,
    wallet.address,
  ]);

  // The community, in which others replied.
  const post = await write('POST', '/api/forum/posts', { title: 'Mine', content: 'Text', category: 'Bugs' });
  const ofOther = await portal.call('POST', '/api/forum/posts', {
    token: stays.owner.token,
    body: { title: 'Of another', content: 'Text', category: 'Bugs' },
  });
  const reply = await write('POST', `/api/forum/posts/${ofOther.body.id}/replies`, { content: 'A reply' });
  await portal.call('POST', `/api/forum/posts/${post.id}/replies`, {
    token: stays.owner.token,
    body: { content: 'A reply of another' },
  });

  // What this test cannot easily cause.
  const action = newId();
  const rows: [string, unknown[]][] = [
    ["insert into pictures (name, user_id, in_use) values ('a-photo', $1, true)", [userId]],
    ['insert into rewards (user_id) values ($1) on conflict do nothing', [userId]],
    ['insert into usage_watermarks values ($1, 0) on conflict do nothing', [userId]],
    [
      `insert into usage_hours (user_id, api_key_id, hour, calls, errors, blocked, histogram)
       values ($1, $2, now(), 1, 0, 0, '{}')`,
      [userId, newId()],
    ],
    [
      `insert into usage_cells (user_id, key, part, hour, kind, origin, calls, buckets, bucket_calls)
       values ($1, 0, 2, 0, 0, 0, 1, '{}', '{}')`,
      [userId],
    ],
    [
      `insert into usage_owner_cells (user_id, key, part, hour, kind, origin, calls, places, counts)
       values ($1, 0, 2, 0, 0, 0, 1, '{}', '{}')`,
      [userId],
    ],
    ["insert into usage_key_days values ($1, 0, 0, 1, now(), '{}', '{}')", [userId]],
    ['insert into usage_keys (user_id, api_key_id) values ($1, $2)', [userId, newId()]],
    ["insert into usage_origins (user_id, origin) values ($1, 'other.example.com')", [userId]],
    ["insert into usage_other_origins values ($1, 'other.example.com', 1)", [userId]],
    ["insert into usage_days values ($1, $2, current_date, '/', 'GET', 200, 1)", [userId, newId()]],
    [`insert into usage_exports values ('\\x01', '\\x01', $1, 'csv', '{}', 0, now(), now())`, [userId]],
    [`insert into added_tokens values ($1, $2, null, '0x00', 'Token', 'TKN', 18, now())`, [newId(), userId]],
    ['insert into project_mirrors values ($1, 1)', [userId]],
    ['insert into forum_mail_off values ($1)', [userId]],
    [
      "insert into admin_actions (id, actor_id, account_id, action, fields) values ($1, $1, $1, 'mail', '{}')",
      [action],
    ],
    ["insert into admin_action_values values ($1, $2, 'reset', null, $3)", [action, userId, email]],
    [
      `insert into project_appearances (project_id, version, value, saved_by) values ($1, 1, '{}', $2)`,
      [projectOfOther, userId],
    ],
    [
      `insert into forum_reports (id, post_id, user_id, reason) values ($1, $2, $3, 'Spam')`,
      [newId(), ofOther.body.id, userId],
    ],
  ];
  for (const [statement, values] of rows) await portal.db.query(statement, values);

  // The account is in every table that names an account, so that none is left out below.
  const named = await tablesNaming(userId);
  const referring = await portal.db.query<{ name: string }[]>(
    `select distinct quote_ident(table_name) as name from information_schema.columns
     where table_schema = 'public' and data_type = 'uuid'
       and column_name in ('user_id', 'owner_id', 'saved_by') and table_name !~ '^api_usage' order by 1`,
  );
  const unused = ['account_deletions', 'data_archives', 'disabled_accounts', 'usage_shipped'];
  expect(referring.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual(unused);
  expect(named).toContain('sessions');
  expect(await tablesNaming(email)).toEqual(expect.arrayContaining(['credentials', 'email_links', 'users']));
  expect(await tablesNaming(wallet.address)).toEqual(
    expect.arrayContaining(['connected_wallets', 'key_proven_wallets', 'linked_identities', 'users']),
  );

  const proven = await inBrowserOf(portal, token);
  const { deletesAt } = await write('POST', '/api/account/deletion', { word: 'delete' }, proven);
  await portal.app.get(AccountRemoval).removeDue(new Date(deletesAt));

  expect(await tablesNaming(userId)).toEqual([]);
  expect(await tablesNaming(email)).toEqual([]);
  expect(await tablesNaming(wallet.address)).toEqual([]);
  const [usage] = await portal.db.query('select count(*)::int as calls from api_usage where user_id = $1', [
    userId,
  ]);
  expect(usage.calls).toBe(1);

  const posts = await portal.call('GET', `/api/forum/posts/${post.id}`);
  expect(posts.body).toMatchObject({ userId: null, title: 'Mine', content: 'Text' });
  const replies = await portal.call('GET', `/api/forum/posts/${ofOther.body.id}/replies`);
  expect(JSON.stringify(replies.body)).toContain(reply.id);
  const others = await portal.call('GET', '/devportal/v1/user/projects', { token: stays.owner.token });
  expect(others.body).toMatchObject([{ code: stays.code }]);

  // Email and wallet are free: each opens a new account.
  expect((await signUp(portal, email)).userId).not.toBe(userId);
  const opened = await portal.call('POST', '/api/v1/message/verify', {
    body: await signedMessage(portal, wallet),
  });
  expect(opened.status).toBe(200);
  expect(opened.body.user.id).not.toBe(userId);
});

test('removes an account with more rows than one statement takes', async () => {
  const owner = await signUp(portal);
  const { userId, token } = owner;
  await portal.db.query(
    `insert into usage_days select $1, gen_random_uuid(), current_date, '/', 'GET', 200, 1
     from generate_series(1, 2500)`,
    [userId],
  );
  const headers = await inBrowserOf(portal, token);
  const body = { word: 'delete' };
  const { deletesAt } = (await portal.call('POST', '/api/account/deletion', { token, headers, body })).body;
  await portal.app.get(AccountRemoval).removeDue(new Date(deletesAt));
  expect(await tablesNaming(userId)).toEqual([]);
});
