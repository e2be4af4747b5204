import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { openLive } from '../../testing/open.live.js';
import { signUp } from '../../testing/sign.up.js';
import { makeTenant, pageOf, type TestTenant } from '../../testing/tenant.page.js';
import { startTestApp, type TestApp } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';

const site = 'https://app.example.com';
const stranger = 'https://staging.example.com';

interface Entry {
  origin: string;
  kind: string;
  calls: number;
}

describe('a refused sign-in', () => {
  let portal: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    portal = await startTestApp();
  }, 30_000);
  afterAll(() => portal.close());

  const make = async () => (tenant = await makeTenant(portal, [site]));
  const visit = (origin: string) =>
    pageOf(portal, origin, tenant.code).call('GET', '/api/v1/settings/version');
  const entries = async (): Promise<Entry[]> => {
    const { owner, code } = tenant;
    return (await portal.call('GET', `/api/projects/${code}/refusals`, { token: owner.token })).body;
  };
  const stored = async (enough: (list: Entry[]) => boolean): Promise<Entry[]> => {
    let list: Entry[] = [];
    await until('the refusals are stored', async () => enough((list = await entries())));
    return list;
  };

  test('shows the owner its origin within a second, and works a second after the owner allows it', async () => {
    await make();
    const live = await openLive(portal.url, { token: tenant.owner.token });
    try {
      expect((await visit(stranger)).status).toBe(403);
      await until('the page hears of it', () => live.changes.length > 0, 1_000);
      expect(live.changes).toEqual([{ projectId: tenant.code, kind: 'refused' }]);
    } finally {
      live.close();
    }
    expect(await entries()).toEqual([
      { origin: stranger, kind: 'signIn', calls: 1, lastAt: expect.any(String) },
    ]);
    const { owner, name, code } = tenant;
    const added = await portal.call('POST', '/devportal/v1/project/whitelist-urls', {
      token: owner.token,
      body: { projectName: name, code, urls: [stranger] },
    });
    expect(added.status).toBe(200);
    expect((await visit(stranger)).status).toBe(200);
  });

  test('is counted with others from the same origin, and separately from a wrong callback', async () => {
    await make();
    for (let n = 0; n < 3; n += 1) await visit(stranger);
    const query = new URLSearchParams({ tenantId: tenant.code, callback: `${stranger}/secret/path` });
    const refusal = await portal.call('GET', `/api/v1/auth/authorize?${query}`);
    expect(refusal.status).toBe(400);
    const list = await stored((each) => each.length === 2 && each.some(({ calls }) => calls === 3));
    expect(list).toContainEqual(expect.objectContaining({ origin: stranger, kind: 'signIn', calls: 3 }));
    expect(list).toContainEqual(expect.objectContaining({ origin: stranger, kind: 'callback', calls: 1 }));
    expect(JSON.stringify(list)).not.toContain('secret');
  });

  test('of a session whose origin is no longer allowed shows at its refresh', async () => {
    await make();
    const { refreshToken } = await signUp(pageOf(portal, site, tenant.code));
    const headers = { origin: stranger };
    await portal.call('POST', '/api/v1/auth/refresh', { body: { refreshToken }, headers });
    expect(await stored((each) => each.length > 0)).toMatchObject([{ origin: stranger, kind: 'signIn' }]);
  });

  test.each([
    ['that is endless', `https://${'a'.repeat(4000)}.example.com`, 'invalid'],
    ['that a spreadsheet would run', '=HYPERLINK("https://evil.example")', 'invalid'],
    ['that looks like another', 'https://xn--pple-43d.com', 'https://xn--pple-43d.com'],
  ])('from an origin %s shows it harmlessly and in ASCII', async (_which, origin, shown) => {
    await make();
    await visit(origin);
    expect(await stored((each) => each.length > 0)).toMatchObject([{ origin: shown }]);
  });

  test('of a flood of origins is one of few that are stored, and the rest are counted together', async () => {
    await make();
    const count = 3 * limits.refusedOriginsPerFlush;
    await Promise.all(Array.from({ length: count }, (_, n) => visit(`https://flood-${n}.example.com`)));
    const sum = (list: Entry[]) => list.reduce((all, { calls }) => all + calls, 0);
    const list = await stored((each) => sum(each) === count);
    expect(list.length).toBeLessThanOrEqual(count);
    expect(list.some(({ origin }) => origin === 'other')).toBe(true);
  });

  test('displaces the one refused longest ago once the project has many', async () => {
    await make();
    await portal.db.query(
      `insert into tenant_refusals (project_id, origin, kind, calls, last_at)
       select p.id, 'https://old-' || n || '.example.com', 'signIn', 1, now() - make_interval(mins => n)
       from projects p, generate_series(1, $2::int) n where p.code = $1`,
      [tenant.code, limits.refusalsPerProject],
    );
    await visit(stranger);
    const list = await stored((each) => each.some(({ origin }) => origin === stranger));
    expect(list).toHaveLength(limits.refusalsPerProject);
    expect(list[0]?.origin).toBe(stranger);
    expect(list.map(({ origin }) => origin)).not.toContain(
      `https://old-${limits.refusalsPerProject}.example.com`,
    );
  });

  test('of a day ago is not shown, and counts from one again', async () => {
    await make();
    await visit(stranger);
    await stored((each) => each.length > 0);
    await portal.db.query(`update tenant_refusals set calls = 7, last_at = now() - interval '25 hours'`);
    expect(await entries()).toEqual([]);
    await visit(stranger);
    expect(await stored((each) => each.length > 0)).toMatchObject([{ calls: 1 }]);
  });
});
