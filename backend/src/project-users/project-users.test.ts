import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { unknownRegion } from '@orange-id/contract/project.users.schema';
import { isDeepStrictEqual } from 'node:util';
import { ProjectUsersRepository } from './project-users.repository.js';
import { SignInRetention } from './sign-in.retention.js';
import { openLive } from '../testing/open.live.js';
import { signUp } from '../testing/sign.up.js';
import { makeTenant, pageOf, type TestTenant } from '../testing/tenant.page.js';
import { startTestApp, type TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';

const site = 'https://app.example.com';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';
interface SignInRow {
  id: string;
  day: string;
  method: string;
  platform: string;
  region: string;
  isNew: boolean;
  calls: number;
  connected: string;
}
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

describe('the users of a project', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ COUNTRY_HEADER: 'X-Country', SIGN_IN_LIMIT_PER_ADDRESS: '100000' });
  }, 30_000);
  afterAll(() => portal.close());

  const make = () => makeTenant(portal, [site]);
  const enter = async ({ code }: TestTenant, headers: Record<string, string> = {}) => {
    const at = pageOf(portal, site, code);
    const call: typeof at.call = (method, path, options = {}) =>
      at.call(method, path, { ...options, headers: { ...headers, ...options.headers } });
    const { userId: id, email } = await signUp({ call });
    return { id, email };
  };
  const enterAgain = ({ code }: TestTenant, email: string, headers: Record<string, string> = {}) =>
    pageOf(portal, site, code).call('POST', '/api/v1/auth/email/login', {
      body: { email, password: 'a long enough password' },
      headers,
    });
  const ask = async ({ owner, code }: TestTenant, query = '', part = 'users') => {
    const answer = await portal.call('GET', `/api/projects/${code}/${part}${query}`, { token: owner.token });
    expect([answer.status, query, answer.text]).toEqual([200, query, expect.any(String)]);
    return answer.body;
  };
  const metrics = (tenant: TestTenant, query = '') => ask(tenant, query, 'users/metrics');
  const csv = async ({ owner, code }: TestTenant, query = '') => {
    const answer = await portal.call('GET', `/api/projects/${code}/users/export${query}`, {
      token: owner.token,
    });
    expect(answer.headers.get('content-type')).toContain('text/csv');
    return answer.text;
  };
  /** Moves the first sign-in of a person, and all of that day, to an earlier day. */
  const moveBack = async (id: string, days: number) => {
    await portal.db.query(
      `update tenant_connections set created_at = created_at - make_interval(days => $2) where id = $1`,
      [id, days],
    );
    await portal.db.query(
      `update tenant_sign_ins set day = day - $2::int, last_at = last_at - make_interval(days => $2)
       where connection_id = $1`,
      [id, days],
    );
  };
  const consent = (id: string, claims: string) =>
    portal.db.query(
      `with c as (
         update tenant_connections set claims = $2, consented_at = now() where id = $1 returning user_id
       )
       update users set email_verified = true, display_name = '=1+1' where id in (select user_id from c)`,
      [id, claims],
    );

  test('are listed with how, where and when they signed in, and without a name until they consent', async () => {
    const tenant = await make();
    const { id } = await enter(tenant, { 'user-agent': iphone, 'x-time-zone': 'Europe/Berlin' });
    const { users, next } = await ask(tenant);
    expect(next).toBeNull();
    expect(users).toEqual([
      {
        id,
        name: null,
        email: null,
        wallet: null,
        isConnected: true,
        method: 'email',
        platform: 'iPhone',
        region: 'DE',
        firstSeenAt: expect.stringContaining(day(0)),
        lastSeenAt: expect.stringContaining(day(0)),
      },
    ]);
  });

  test('are in the country that the proxy names, if one is configured, and otherwise in an unknown one', async () => {
    const tenant = await make();
    const { id, email } = await enter(tenant, { 'x-country': 'FR', 'x-time-zone': 'Europe/Berlin' });
    const nowhere = await enter(tenant, { 'x-country': 'XX' });
    const regions = async () =>
      Object.fromEntries(
        (await ask(tenant)).users.map((user: { id: string; region: string }) => [user.id, user.region]),
      );
    expect(await regions()).toEqual({ [id]: 'FR', [nowhere.id]: unknownRegion });
    expect(await csv(tenant)).toMatch(new RegExp(`^${nowhere.id},,,,true,email,Other,,`, 'm'));
    expect((await enterAgain(tenant, email)).status).toBe(200);
    expect(await regions()).toMatchObject({ [id]: 'FR' });
  });

  test('have no IP address stored with their sign-ins', async () => {
    const tenant = await make();
    const { id } = await enter(tenant);
    const rows = await portal.db.query('select * from tenant_sign_ins where connection_id = $1', [id]);
    expect(JSON.stringify(rows)).not.toMatch(/127\.0\.0\.1|::1/);
  });

  test('show exactly what they consented to, in the list and in the export, and nothing once they disconnect', async () => {
    const tenant = await make();
    const { id, email } = await enter(tenant);
    const shown = async () => {
      const [{ name, email: shownEmail, isConnected }] = (await ask(tenant)).users;
      return [name, shownEmail, isConnected];
    };
    await consent(id, '{email}');
    expect(await shown()).toEqual([null, email, true]);
    expect(await csv(tenant)).toContain(email);
    await consent(id, '{name}');
    expect(await shown()).toEqual(['=1+1', null, true]);
    expect(await csv(tenant)).not.toContain(email);
    await portal.db.query('update tenant_connections set disconnected_at = now() where id = $1', [id]);
    expect(await shown()).toEqual([null, null, false]);
    expect(await csv(tenant)).not.toContain('=1+1');
    expect((await metrics(tenant)).totals.users).toBe(1);
  });

  test('have an email shown only while it is confirmed', async () => {
    const tenant = await make();
    const { id, email } = await enter(tenant);
    await consent(id, '{email}');
    await portal.db.query('update users set email_verified = false where email = $1', [email]);
    expect((await ask(tenant)).users[0].email).toBeNull();
  });

  test('are exported as CSV that no spreadsheet runs', async () => {
    const tenant = await make();
    const { id } = await enter(tenant, { 'x-country': 'DE' });
    await consent(id, '{name}');
    const lines = (await csv(tenant)).split('\r\n');
    expect(lines[0]).toBe('id,name,email,wallet,isConnected,method,platform,region,firstSeenAt,lastSeenAt');
    expect(lines[1]).toMatch(new RegExp(`^${id},'=1\\+1,,,true,email,Other,DE,`));
    expect(lines).toHaveLength(3);
    expect((await csv(tenant, '?region=FR')).split('\r\n')).toHaveLength(2);
  });

  test('are none in a new project, whose figures are zero', async () => {
    const tenant = await make();
    expect((await metrics(tenant)).totals).toEqual({ users: 0, new: 0, returning: 0, signIns: 0, total: 0 });
  });

  test('are counted as new, returning and in total, by day and by kind, and found by each filter', async () => {
    const tenant = await make();
    const old = await enter(tenant, { 'user-agent': iphone, 'x-country': 'DE' });
    const older = await enter(tenant, { 'x-country': 'FR' });
    await moveBack(old.id, 2);
    await moveBack(older.id, 40);
    const fresh = await enter(tenant, { 'x-country': 'FR' });
    await enterAgain(tenant, old.email, { 'x-country': 'DE' });
    await enterAgain(tenant, old.email, { 'x-country': 'DE' });

    const all = await metrics(tenant);
    expect(all.totals).toEqual({ users: 2, new: 2, returning: 0, signIns: 4, total: 3 });
    expect(all.series).toHaveLength(30);
    expect(all.series.slice(-3)).toEqual([
      { day: day(2), new: 1, returning: 0, total: 2 },
      { day: day(1), new: 0, returning: 0, total: 2 },
      { day: day(0), new: 1, returning: 1, total: 3 },
    ]);
    expect(all.methods).toEqual([{ method: 'email', users: 2 }]);
    expect(all.platforms).toEqual([
      { platform: 'Other', users: 2 },
      { platform: 'iPhone', users: 1 },
    ]);
    expect(all.regions).toEqual([
      { region: 'DE', users: 1 },
      { region: 'FR', users: 1 },
    ]);

    const today = await metrics(tenant, `?from=${day(0)}&to=${day(0)}`);
    expect(today.totals).toEqual({ users: 2, new: 1, returning: 1, signIns: 3, total: 3 });
    const before = await metrics(tenant, `?from=${day(60)}&to=${day(1)}`);
    expect(before.totals).toMatchObject({ users: 2, new: 2, total: 2 });
    const french = await metrics(tenant, '?region=FR');
    expect(french.totals).toEqual({ users: 1, new: 1, returning: 0, signIns: 1, total: 2 });
    expect(french.series.at(-1)).toEqual({ day: day(0), new: 1, returning: 0, total: 2 });

    const ids = async (query: string) =>
      (await ask(tenant, query)).users.map((user: { id: string }) => user.id);
    expect(await ids('')).toEqual([old.id, fresh.id]);
    expect(await ids(`?from=${day(400 - 1)}`)).toEqual([old.id, fresh.id, older.id]);
    expect(await ids('?platform=iPhone')).toEqual([old.id]);
    expect(await ids('?region=FR')).toEqual([fresh.id]);
    expect(await ids('?method=wallet')).toEqual([]);
  });

  test('have figures and a list that agree with their sign-ins, for every range and filter', async () => {
    const tenant = await make();
    await portal.db.query(
      `with people as (
         insert into users (id, issuer, subject, provider)
         select gen_random_uuid(), 'embedded', $1 || n, 'email' from generate_series(1, 60) as n returning id
       ), connected as (
         insert into tenant_connections (id, project_id, user_id, created_at)
         select gen_random_uuid(), p.id, people.id, (current_date - (random() * 420)::int)::timestamp at time zone 'UTC'
         from people, projects p where p.code = $1 returning id, project_id, created_at
       )
       insert into tenant_sign_ins
         (connection_id, project_id, day, method, platform, region, is_new, calls, last_at)
       select id, project_id, day, (array['email', 'google', 'apple'])[1 + (random() * 2)::int],
         (array['iPhone', 'Linux', 'Other'])[1 + (random() * 2)::int],
         (array['DE', 'FR', 'ZZ'])[1 + (random() * 2)::int], day = (created_at at time zone 'UTC')::date, 1 + (random() * 3)::int,
         day + random() * interval '23 hours'
       from connected, generate_series(0, 420, 20) as ago,
         lateral (select (created_at at time zone 'UTC')::date + (ago * random())::int as day) d
       where day <= current_date
       on conflict do nothing`,
      [tenant.code],
    );
    const rows = await portal.db.query<SignInRow[]>(
      `select connection_id as id, day::text, method, platform, region, is_new as "isNew", calls,
         (c.created_at at time zone 'UTC')::date::text as connected
       from tenant_sign_ins join tenant_connections c on c.id = connection_id
       join projects p on p.id = c.project_id where p.code = $1`,
      [tenant.code],
    );
    const people = (some: readonly SignInRow[]) => new Set(some.map(({ id }) => id)).size;
    const wrong: unknown[] = [];
    for (const days of [7, 30, 90, 365]) {
      for (const filter of ['', 'method=email', 'platform=Linux&region=DE', 'method=google&region=ZZ']) {
        const given = Object.entries(Object.fromEntries(new URLSearchParams(filter)));
        const matching = rows.filter((row) =>
          given.every(([name, value]) => row[name as keyof SignInRow] === value),
        );
        const first = day(days - 1);
        const inRange = matching.filter((row) => row.day >= first);
        const bars = Array.from({ length: Math.ceil(days / (days > 92 ? 7 : 1)) }, (_, bar) => ({
          from: day(days - 1 - bar * (days > 92 ? 7 : 1)),
          to: day(Math.max(0, days - (bar + 1) * (days > 92 ? 7 : 1))),
        }));
        const by = (kind: 'method' | 'platform' | 'region') =>
          [...new Set(inRange.map((row) => row[kind]))]
            .map((value) => ({ [kind]: value, users: people(inRange.filter((row) => row[kind] === value)) }))
            .sort(
              (a, b) => Number(b.users) - Number(a.users) || (String(a[kind]) < String(b[kind]) ? -1 : 1),
            );
        const totalBy = (last: string) =>
          filter === ''
            ? people(rows.filter(({ connected }) => connected <= last))
            : people(matching.filter((row) => row.day <= last));
        const expected = {
          from: first,
          to: day(0),
          bucketDays: days > 92 ? 7 : 1,
          totals: {
            users: people(inRange),
            new: people(inRange.filter(({ isNew }) => isNew)),
            returning: people(inRange) - people(inRange.filter(({ isNew }) => isNew)),
            signIns: inRange.reduce((sum, { calls }) => sum + calls, 0),
            total: totalBy(day(0)),
          },
          series: bars.map(({ from, to }) => {
            const here = inRange.filter((row) => row.day >= from && row.day <= to);
            const fresh = people(here.filter(({ isNew }) => isNew));
            return { day: from, new: fresh, returning: people(here) - fresh, total: totalBy(to) };
          }),
          methods: by('method'),
          platforms: by('platform'),
          regions: by('region'),
        };
        const query = `?from=${first}&to=${day(0)}${filter && '&'}${filter}`;
        const answer = await metrics(tenant, query);
        if (!isDeepStrictEqual(answer, expected)) wrong.push({ query, answer, expected });
        const listed = (await ask(tenant, `${query}&limit=500`)).users.length;
        if (listed !== people(inRange)) wrong.push({ query, listed });
      }
    }
    expect(wrong).toEqual([]);
    expect(people(rows)).toBe(60);
  });

  test('keep their totals and when they were first seen, after the months of their sign-ins', async () => {
    const tenant = await make();
    const old = await enter(tenant, { 'user-agent': iphone, 'x-country': 'DE' });
    const other = await enter(tenant, { 'x-country': 'FR' });
    await moveBack(old.id, 3);
    await moveBack(other.id, 3);
    await enterAgain(tenant, old.email, { 'user-agent': iphone, 'x-country': 'DE' });
    await enterAgain(tenant, old.email, { 'x-country': 'DE' });
    const kept = async () =>
      portal.db.query(
        `select connection_id as id, day::text, platform from tenant_sign_ins where connection_id = any($1)
         order by day, platform`,
        [[old.id, other.id]],
      );
    const totals = async (query = '') => {
      const { total } = (await metrics(tenant, query)).totals;
      return total;
    };
    const [{ firstSeenAt }] = (await ask(tenant)).users;
    expect(await kept()).toHaveLength(4);

    const repository = portal.app.get(ProjectUsersRepository);
    const environment = { USAGE_RETENTION_MONTHS: 13 };
    const retention = new SignInRetention(portal.address, environment, repository);
    await retention.tend();
    expect(await kept()).toHaveLength(4);
    await retention.tend(Date.now() + 15 * 31 * 86_400_000);
    expect(await kept()).toEqual([
      { id: other.id, day: day(3), platform: 'Other' },
      { id: old.id, day: day(3), platform: 'iPhone' },
      { id: old.id, day: day(0), platform: 'Other' },
    ]);
    expect(await totals()).toBe(2);
    expect(await totals('?platform=Other')).toBe(2);
    expect(await totals('?region=DE')).toBe(1);
    expect(await totals(`?platform=iPhone&to=${day(1)}`)).toBe(1);
    expect((await ask(tenant)).users[0]).toMatchObject({ id: old.id, firstSeenAt });
  });

  test('are listed page by page, each person once', async () => {
    const tenant = await make();
    const ids = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await enter(tenant)).id);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { users: { id: string }[]; next: string | null } = await ask(
        tenant,
        `?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      found.push(...page.users.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== null);
    expect(found).toEqual(ids);
  });

  test('are shown to nobody but the owner', async () => {
    const tenant = await make();
    const { token: own } = await signUp(pageOf(portal, site, tenant.code));
    const other = await signUp(portal);
    for (const part of ['users', 'users/metrics', 'users/export', 'refusals']) {
      const path = `/api/projects/${tenant.code}/${part}`;
      const answer = await portal.call('GET', path, { token: other.token });
      expect([part, answer.status, answer.body.code]).toEqual([part, 404, 'project.notFound']);
      expect((await portal.call('GET', path)).status).toBe(401);
      expect((await portal.call('GET', path, { token: own })).status).toBe(401);
    }
  });

  test.each([
    ...['from=2026-13-01', 'from=today', 'to=2026-01-01T00:00:00Z', 'method=sms', 'platform=DOS'],
    ...['region=de', 'region=Germany', 'cursor=x', 'limit=0', 'limit=501', 'other=1'],
    ...['from=2026-02-02&to=2026-02-01', 'from=2020-01-01'],
    `cursor=${'9'.repeat(15)}_${'-'.repeat(36)}`,
  ])('are refused for ?%s', async (query) => {
    const { owner, code } = await make();
    const answer = await portal.call('GET', `/api/projects/${code}/users?${query}`, { token: owner.token });
    expect([answer.status, answer.body.code]).toEqual([400, 'request.invalid']);
  });

  test('reach the owner’s open page within a second, without anything about the person', async () => {
    const tenant = await make();
    const live = await openLive(portal.url, { token: tenant.owner.token });
    try {
      await enter(tenant);
      await until('the page hears of it', () => live.changes.length > 0, 1_000);
      expect(live.changes).toEqual([{ projectId: tenant.code, kind: 'signedIn' }]);
    } finally {
      live.close();
    }
  });

  test('leave with the project', async () => {
    const tenant = await make();
    const { id } = await enter(tenant);
    const { token } = tenant.owner;
    expect((await portal.call('DELETE', `/api/projects/${tenant.code}`, { token })).status).toBe(204);
    expect(await portal.db.query('select from tenant_sign_ins where connection_id = $1', [id])).toHaveLength(
      0,
    );
  });
});
