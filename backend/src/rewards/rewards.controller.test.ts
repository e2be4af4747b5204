import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rewardProfile, type RewardProfile } from '@orange-id/contract/rewards.schema';
import { randomUUID } from 'node:crypto';
import { foreignToken, HostedIdentity, json, startHostedIdentity } from '../testing/hosted.identity.js';
import { signUp } from '../testing/sign.up.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';

const asks = (portal: TestApp) => ({
  profile: async (token: string): Promise<RewardProfile> => {
    const answer = await portal.call('GET', '/api/reward/profile', { token });
    expect(answer.status).toBe(200);
    return rewardProfile.strict().parse(answer.body);
  },
  createProject: async (token: string, projectName: string) => {
    const body = { projectName, whitelistURL: ['https://a.example.org'] };
    const answer = await portal.call('POST', '/devportal/v1/project', { token, body });
    expect(answer.status).toBe(201);
    return answer.body as { projectId: string; apiKey: string };
  },
  call: async (apiKey: string, times: number) => {
    for (let made = 0; made < times; made++)
      expect((await portal.call('GET', '/api/v1/key', { headers: { 'x-api-key': apiKey } })).status).toBe(
        200,
      );
  },
});

describe('GET /api/reward/profile', () => {
  let portal: TestApp;
  let ask: ReturnType<typeof asks>;
  beforeAll(async () => {
    portal = await startTestApp();
    ask = asks(portal);
  });
  afterAll(() => portal.close());

  const pointsOf = async (token: string) => (await ask.profile(token)).experiencePoints;
  const save = (token: string, body: object) => portal.call('POST', '/api/v1/user/profile', { token, body });
  const daysWithCalls = (userId: string, count: number) =>
    portal.db.query(
      `insert into usage_key_days (user_id, key, day, calls, last_at, places, counts)
       select $1, key, 20454 + day, 2, now(), '{}', '{}' from generate_series(1, $2::int) day, generate_series(1, 2) key`,
      [userId, count],
    );
  /** Updates the head and the watermark together: there are no rows to fold. */
  const callsRecorded = async (userId: string, calls: number) => {
    await portal.db.query(
      `with heads as (
         insert into usage_heads values ($1, $2) on conflict (user_id) do update set seq = excluded.seq
       )
       insert into usage_watermarks (user_id, seq, key_days_seq, owner_cells_seq) values ($1, 0, $2, $2)
       on conflict (user_id) do update set key_days_seq = $2, owner_cells_seq = $2`,
      [userId, calls],
    );
  };

  test('returns 401 without a token', async () => {
    const answer = await portal.call('GET', '/api/reward/profile');
    expect([answer.status, answer.body.code]).toEqual([401, 'auth.required']);
  });

  test('returns 200 uncached: a new account is an Observer without points', async () => {
    const { token } = await signUp(portal);
    const answer = await portal.call('GET', '/api/reward/profile', { token });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({ rank: 'Observer', rankImage: '/ranks/observer.svg', experiencePoints: 0 });
  });

  test('completed steps earn points: the profile, the confirmed address, a project, its first call', async () => {
    const { token, userId } = await signUp(portal);
    await save(token, { displayName: 'Ada' });
    expect(await pointsOf(token)).toBe(5_000);
    await portal.db.query('update users set email_verified = true where id = $1', [userId]);
    expect(await pointsOf(token)).toBe(7_500);
    const { apiKey } = await ask.createProject(token, 'First');
    expect(await ask.profile(token)).toEqual({
      rank: 'Builder',
      rankImage: '/ranks/builder.svg',
      experiencePoints: 12_500,
    });
    await ask.call(apiKey, 2);
    // The first call counts at once, its day as soon as it is in the roll-up.
    await until('the day is counted', async () => (await pointsOf(token)) === 12_500 + 5_000 + 500);
  });

  test('projects that are repeatedly created and deleted earn as much as one that stays', async () => {
    const { token } = await signUp(portal);
    for (const name of ['One', 'Two', 'Three']) {
      const { projectId } = await ask.createProject(token, name);
      expect(await pointsOf(token)).toBe(5_000);
      await portal.call('DELETE', `/api/projects/${projectId}`, { token });
      expect(await pointsOf(token)).toBe(0);
    }
    await ask.createProject(token, 'Four');
    await ask.createProject(token, 'Five');
    expect(await pointsOf(token)).toBe(5_000);
  });

  test('each further kind of sign-in method counts once, however many of that kind are linked', async () => {
    const { token, userId } = await signUp(portal);
    const link = (provider: string) =>
      portal.db.query(
        'insert into linked_identities (id, user_id, provider, subject) values ($1, $2, $3, $4)',
        [randomUUID(), userId, provider, randomUUID()],
      );
    for (const [provider, points] of [
      ['wallet', 2_500],
      ['wallet', 2_500],
      ['google', 5_000],
      ['apple', 7_500],
      ['apple', 7_500],
    ] as const) {
      await link(provider);
      expect(await pointsOf(token)).toBe(points);
    }
    await portal.db.query('delete from credentials where user_id = $1', [userId]);
    expect(await pointsOf(token)).toBe(5_000);
  });

  test('calls count by the thousand, up to the limit', async () => {
    const { token, userId } = await signUp(portal);
    for (const [calls, points] of [
      [999, 5_000],
      [1_000, 6_000],
      [55_000, 60_000],
      [100_000, 105_000],
      [4_000_000_000, 105_000],
    ] as const) {
      await callsRecorded(userId, calls);
      expect(await pointsOf(token)).toBe(points);
    }
  });

  test('a day counts once, whatever was called on it, and at most 60 days count', async () => {
    const [some, many] = [await signUp(portal), await signUp(portal)];
    await daysWithCalls(some.userId, 3);
    expect(await pointsOf(some.token)).toBe(1_500);
    await daysWithCalls(many.userId, 400);
    expect(await pointsOf(many.token)).toBe(30_000);
  });

  test('returns the rank and its badge for the points earned', async () => {
    const { token, userId } = await signUp(portal);
    for (const [calls, rank] of [
      [4_000, 'Observer'],
      [5_000, 'Builder'],
      [20_000, 'Integrator'],
      [55_000, 'Operator'],
    ] as const) {
      await callsRecorded(userId, calls);
      expect(await ask.profile(token)).toMatchObject({ rank, rankImage: `/ranks/${rank.toLowerCase()}.svg` });
    }
    await daysWithCalls(userId, 60);
    await callsRecorded(userId, 85_000);
    expect(await ask.profile(token)).toMatchObject({ rank: 'Pioneer', experiencePoints: 120_000 });
  });

  test('another user’s activity earns no points', async () => {
    const [mine, theirs] = [await signUp(portal), await signUp(portal)];
    const { apiKey } = await ask.createProject(theirs.token, 'Theirs');
    await ask.call(apiKey, 1);
    await save(theirs.token, { displayName: 'Them' });
    expect(await pointsOf(mine.token)).toBe(0);
  });

  test('while the recorded calls cannot be read, the profile is still returned', async () => {
    const { token, userId } = await signUp(portal);
    await callsRecorded(userId, 10_000);
    await daysWithCalls(userId, 50);
    await portal.db.transaction(async (manager) => {
      await manager.query('lock table api_usage in access exclusive mode');
      expect(await pointsOf(token)).toBe(5_000 + 10_000 + 25_000);
    });
  });
});

describe('with a hosted identity service', () => {
  let hosted: HostedIdentity;
  let portal: TestApp;
  beforeAll(async () => {
    hosted = await startHostedIdentity();
    portal = await startTestApp({ IDENTITY_URL: hosted.url, SUBSCRIPTION_KEY: 'a-key' });
  }, 30_000);
  afterAll(async () => {
    await portal.close();
    await hosted.stop();
  });

  test('the service’s data and local activity count; the sign-in methods are unknown', async () => {
    const ask = asks(portal);
    const token = foreignToken({ sub: 'u-1' });
    hosted.answer = json({ id: 'u-1', email: 'a@example.com', emailVerified: true, name: 'Ada' });
    expect(await ask.profile(token)).toMatchObject({ rank: 'Observer', experiencePoints: 7_500 });
    const { apiKey } = await ask.createProject(token, 'Here');
    await ask.call(apiKey, 1);
    expect((await ask.profile(token)).experiencePoints).toBeGreaterThanOrEqual(17_500);
  });

  test('a user about whom the service returns no data has no points', async () => {
    hosted.answer = json({ id: 'u-2' });
    expect(await asks(portal).profile(foreignToken({ sub: 'u-2' }))).toMatchObject({ experiencePoints: 0 });
  });
});
