import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keepExample, watchExample } from '@orange-id/contract/games.guide';
import { limits } from '@orange-id/contract/limits';
import { openLive } from '../testing/open.live.js';
import { type SignedUp, signUp } from '../testing/sign.up.js';
import { pageOf } from '../testing/tenant.page.js';
import { startAnother, startTestApp, type TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { LeaderboardWaits } from './leaderboard.waits.js';

const site = 'https://play.example.com';

/** What the guide's example exports. */
interface GuidePage {
  load(token: string): Promise<object>;
  save<Data>(
    token: string,
    data: Data,
    version: number,
    merge: (one: Data, other: Data) => Data,
  ): Promise<{ version: number }>;
  report(token: string, score: number): Promise<object>;
}

interface Project {
  owner: SignedUp;
  code: string;
  key: string;
}

describe('the games of a project', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ SIGN_IN_LIMIT_PER_ADDRESS: '100000', TRUST_PROXY: '1' });
  }, 30_000);
  afterAll(() => portal.close());

  const makeProject = async (): Promise<Project> => {
    const owner = await signUp(portal);
    const { body } = await portal.call('POST', '/devportal/v1/project', {
      token: owner.token,
      body: { projectName: 'Arcade', whitelistURL: [site] },
    });
    return { owner, code: body.projectId, key: body.apiKey };
  };
  const own = ({ owner, code }: Project, method: string, path = '', body?: object) =>
    portal.call(method, `/api/projects/${code}/games${path}`, {
      token: owner.token,
      ...(body && { body }),
    });
  const add = async (project: Project, name: string): Promise<string> => {
    const { status, body } = await own(project, 'POST', '', { name });
    expect(status).toBe(201);
    return body.id;
  };
  const join = (code: string) => signUp(pageOf(portal, site, code));
  const play = ({ key }: Pick<Project, 'key'>, method: string, path: string, token?: string, body?: object) =>
    portal.call(method, `/api/v1/games/${path}`, {
      headers: { 'x-api-key': key, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body && { body }),
    });
  const sendRaw = async ({ key }: Project, path: string, token: string, body: string) => {
    const headers = {
      'x-api-key': key,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    };
    return (await fetch(`${portal.url}/api/v1/games/${path}`, { method: 'PUT', headers, body })).status;
  };
  const letSeeName = (player: SignedUp, name: string) =>
    portal.db.query(
      `with c as (update tenant_connections set claims = '{name}', consented_at = now() where id = $1 returning user_id)
       update users set display_name = $2 where id in (select user_id from c)`,
      [player.userId, name],
    );

  test('are added by name, get an ID for addresses, and are deleted with all data', async () => {
    const project = await makeProject();
    expect(await add(project, '  Coin  Rush! ')).toBe('coin-rush');
    expect(await add(project, 'Café')).toBe('cafe');
    expect(await add(project, 'Cafe')).toMatch(/^cafe-[0-9a-f]{6}$/);
    expect(await add(project, '祝')).toMatch(/^game-[0-9a-f]{6}$/);
    const { token } = await join(project.code);
    await play(project, 'PUT', 'cafe/data', token, { data: 1, version: 0 });
    await play(project, 'POST', 'cafe/scores', token, { score: 5 });
    expect((await own(project, 'GET')).body[1]).toEqual({
      id: 'cafe',
      name: 'Café',
      players: 1,
      plays: 1,
      errors: 0,
      createdAt: expect.any(String),
    });
    expect((await own(project, 'DELETE', '/cafe')).status).toBe(204);
    expect((await own(project, 'DELETE', '/cafe')).body.code).toBe('game.notFound');
    expect((await play(project, 'GET', 'cafe/data', token)).body.code).toBe('game.notFound');
    await add(project, 'Café');
    expect((await play(project, 'GET', 'cafe/data', token)).body).toMatchObject({ data: null, version: 0 });
  });

  test('have names that are checked, and each name once', async () => {
    const project = await makeProject();
    await add(project, 'Coin Rush');
    for (const name of ['', ' ', 'a\u202eb', 'x'.repeat(51)])
      expect((await own(project, 'POST', '', { name })).body.code).toBe('game.nameInvalid');
    const twice = await Promise.all(
      ['coin rush', 'New', 'New'].map((name) => own(project, 'POST', '', { name })),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const more = Array.from({ length: limits.gamesPerProject }, (_, n) => n);
    const answers = await Promise.all(more.map((n) => own(project, 'POST', '', { name: `Game ${n}` })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(limits.gamesPerProject - 2);
    expect(answers.find(({ status }) => status !== 201)?.body.code).toBe('game.tooMany');
  });

  test('belong to the owner alone: others see nothing and change nothing', async () => {
    const project = await makeProject();
    await add(project, 'Coin Rush');
    const other = { ...project, owner: await signUp(portal) };
    const player = { ...project, owner: await join(project.code) };
    for (const [method, path, body] of [
      ['GET', ''],
      ['POST', '', { name: 'Mine' }],
      ['DELETE', '/coin-rush'],
      ['GET', '/coin-rush/leaderboard'],
      ['GET', '/coin-rush/data'],
      ['PUT', '/coin-rush/data', { data: 1, version: 0 }],
      ['POST', '/coin-rush/scores', { score: 1 }],
    ] as [string, string, object?][]) {
      expect((await own(other, method, path, body)).body.code).toBe('project.notFound');
      expect((await own(player, method, path, body)).status).toBe(401);
    }
    expect((await own(project, 'GET')).body).toHaveLength(1);
  });

  test('keep what a player saves, for that player and game only', async () => {
    const project = await makeProject();
    await add(project, 'One');
    await add(project, 'Two');
    const [mira, noor] = await Promise.all([join(project.code), join(project.code)]);
    for (const data of [
      { level: 3, 'a.b': [1.5, null, 'ключ \u0000 🎮'] },
      'text',
      0,
      false,
      [] as number[],
    ]) {
      const { body: before } = await play(project, 'GET', 'one/data', mira.token);
      const saved = await play(project, 'PUT', 'one/data', mira.token, { data, version: before.version });
      expect([saved.status, saved.body]).toEqual([
        200,
        { version: before.version + 1, saved_at: expect.any(String) },
      ]);
      expect((await play(project, 'GET', 'one/data', mira.token)).body).toEqual({ data, ...saved.body });
    }
    const nothing = { data: null, version: 0, saved_at: null };
    expect((await play(project, 'GET', 'two/data', mira.token)).body).toEqual(nothing);
    expect((await play(project, 'GET', 'one/data', noor.token)).body).toEqual(nothing);
  });

  test('save nothing over newer data: of ten devices one saves, and the others get what it saved', async () => {
    const project = await makeProject();
    await add(project, 'One');
    const { token } = await join(project.code);
    for (const version of [0, 1]) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, device) =>
          play(project, 'PUT', 'one/data', token, { data: { device }, version }),
        ),
      );
      const { body: newest } = await play(project, 'GET', 'one/data', token);
      expect(newest.version).toBe(version + 1);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
      for (const { status, body } of answers)
        if (status === 409) expect(body).toMatchObject({ code: 'game.dataChanged', current: newest });
    }
    expect((await play(project, 'PUT', 'one/data', token, { data: 1, version: 7 })).status).toBe(409);
    const [listed] = (await own(project, 'GET')).body;
    expect(listed).toMatchObject({ players: 1, plays: 0, errors: 19 });
  });

  test('keep data of a player in 300 games, and those can still save', async () => {
    const project = await makeProject();
    const { token } = await join(project.code);
    await portal.db.query(
      `insert into games (id, project_id, code, name)
       select gen_random_uuid(), p.id, 'game-' || n, 'Game ' || n
       from projects p, generate_series(0, $2) as n where p.code = $1`,
      [project.code, limits.gamesPerPlayer],
    );
    await portal.db.query(
      `insert into game_players (game_id, connection_id, data, version)
       select g.id, c.id, '1', 1 from projects p
       join games g on g.project_id = p.id join tenant_connections c on c.project_id = p.id
       where p.code = $1 and g.code not in ('game-0', 'game-1')`,
      [project.code],
    );
    const save = (game: string, version: number) =>
      play(project, 'PUT', `${game}/data`, token, { data: 2, version });
    expect((await save('game-0', 0)).status).toBe(200);
    // A score alone makes no room.
    expect((await play(project, 'POST', 'game-1/scores', token, { score: 1 })).status).toBe(200);
    const refused = await save('game-1', 0);
    expect([refused.status, refused.body.code]).toEqual([403, 'game.playerFull']);
    expect((await save('game-2', 1)).body).toMatchObject({ version: 2 });
    expect((await save('game-1', 3)).body.code).toBe('game.dataChanged');
    const other = await join(project.code);
    expect((await play(project, 'PUT', 'game-1/data', other.token, { data: 1, version: 0 })).status).toBe(
      200,
    );
  });

  test('refuse data that is null, too large or too deep, and scores that are no finite number', async () => {
    const project = await makeProject();
    await add(project, 'One');
    const { token } = await join(project.code);
    const save = (data: unknown, version: unknown = 0) =>
      play(project, 'PUT', 'one/data', token, { data, version });
    const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    const most = 'x'.repeat(limits.gameDataBytes - 2);
    for (const data of [
      null,
      undefined,
      `${most}x`,
      'ü'.repeat(limits.gameDataBytes / 2),
      deep(101),
      deep(1_000),
    ])
      expect((await save(data)).body).toMatchObject({ code: 'request.invalid', details: [{ path: 'data' }] });
    for (const version of [-1, 0.5, '0', 2 ** 31, null])
      expect((await save(1, version)).body).toMatchObject({ details: [{ path: 'version' }] });
    for (const body of [`{"data":${'['.repeat(30_000)}${']'.repeat(30_000)},"version":0}`, '{"data":{}'])
      expect(await sendRaw(project, 'one/data', token, body)).toBe(400);
    const huge = await save('x'.repeat(3 * limits.gameDataBytes));
    expect([huge.status, huge.body.message]).toEqual([
      413,
      `The request body is too large. Send at most ${(3 * limits.gameDataBytes) / 1024} KB`,
    ]);
    const long = await play(project, 'POST', 'one/scores', token, { score: 'x'.repeat(70_000) } as object);
    expect([long.status, long.body.message]).toEqual([
      413,
      'The request body is too large. Send at most 64 KB',
    ]);
    expect((await save(most)).status).toBe(200);
    expect((await save(deep(100), 1)).status).toBe(200);
    for (const score of ['5', null, undefined, true])
      expect((await play(project, 'POST', 'one/scores', token, { score } as object)).body).toMatchObject({
        details: [{ path: 'score', message: expect.stringContaining('must be a finite number') }],
      });
    expect((await play(project, 'GET', 'one/leaderboard')).body.scores).toEqual([]);
  });

  test('rank each player by the best score, of today and of all time, and name only those who agreed', async () => {
    const project = await makeProject();
    await add(project, 'One');
    const players = await Promise.all([1, 2, 3, 4].map(() => join(project.code)));
    const [mira, noor, gone, late] = players as [SignedUp, SignedUp, SignedUp, SignedUp];
    const score = async ({ token }: SignedUp, value: number) =>
      (await play(project, 'POST', 'one/scores', token, { score: value })).body;
    await letSeeName(mira, 'Mira');
    await letSeeName(gone, 'Gone');
    expect(await score(mira, 100)).toEqual({ best: 100, is_best: true, rank_today: 1, rank: 1 });
    expect(await score(mira, 40)).toEqual({ best: 100, is_best: false, rank_today: 1, rank: 1 });
    expect(await score(noor, 100)).toEqual({ best: 100, is_best: true, rank_today: 1, rank: 1 });
    expect(await score(gone, -2.5)).toEqual({ best: -2.5, is_best: true, rank_today: 3, rank: 3 });
    await portal.db.query('update tenant_connections set disconnected_at = now() where id = $1', [
      gone.userId,
    ]);
    // All of that was yesterday.
    await portal.db.query('update game_scores set day = day - 1 where day > $1', ['-infinity']);
    expect(await score(mira, 60)).toEqual({ best: 100, is_best: false, rank_today: 1, rank: 1 });
    expect(await score(late, 1e300)).toEqual({ best: 1e300, is_best: true, rank_today: 1, rank: 1 });
    const board = async (query = '') =>
      (await play(project, 'GET', `one/leaderboard${query}`)).body.scores.map(
        ({ rank, name, score: best }: { rank: number; name: string | null; score: number }) => [
          rank,
          name,
          best,
        ],
      );
    const all = [
      [1, null, 1e300],
      [2, 'Mira', 100],
      [2, null, 100],
      [4, null, -2.5],
    ];
    expect(await board()).toEqual(all);
    expect(await board('?period=all&limit=2')).toEqual(all.slice(0, 2));
    expect(await board('?period=today')).toEqual([
      [1, null, 1e300],
      [2, 'Mira', 60],
    ]);
    expect((await play(project, 'GET', 'one/leaderboard?period=week')).body.message).toBe(
      'period: must be all or today (given "week")',
    );
    expect((await own(project, 'GET', '/one/leaderboard?period=today')).body.scores).toHaveLength(2);
    expect((await own(project, 'GET')).body[0]).toMatchObject({ players: 4, plays: 6, errors: 0 });
  });

  test('open with the token of the project’s own player only, and with the project’s key', async () => {
    const project = await makeProject();
    await add(project, 'One');
    const other = await makeProject();
    await add(other, 'One');
    const [mine, theirs] = [await join(project.code), await join(other.code)];
    const refusals: [string | undefined, string][] = [
      [undefined, 'game.playerRequired'],
      ['', 'game.playerRequired'],
      [theirs.token, 'game.playerRequired'],
      [project.owner.token, 'game.playerRequired'],
      [`${mine.token}x`, 'auth.tokenInvalid'],
    ];
    for (const [token, code] of refusals) {
      for (const [method, path, body] of [
        ['GET', 'one/data'],
        ['PUT', 'one/data', { data: 1, version: 0 }],
        ['POST', 'one/scores', { score: 1 }],
      ] as [string, string, object?][]) {
        const answer = await play(project, method, path, token, body);
        expect([answer.status, answer.body.code]).toEqual([401, code]);
      }
    }
    const { body: saved } = await portal.call('POST', '/api/keys', {
      token: project.owner.token,
      body: { name: 'Mine' },
    });
    for (const path of ['one/leaderboard', 'one/data'])
      expect((await play(saved, 'GET', path, mine.token)).body.code).toBe('game.projectRequired');
    expect((await play(project, 'GET', 'none/data', mine.token)).body.code).toBe('game.notFound');
    // A person who disconnects is signed out of the app.
    await portal.db.query('update tenant_connections set disconnected_at = now() where id = $1', [
      mine.userId,
    ]);
    expect((await play(project, 'GET', 'one/data', mine.token)).body.code).toBe('auth.tokenInvalid');
  });

  test('take a bounded number of scores and saves from a player, and none of another player’s', async () => {
    const project = await makeProject();
    await add(project, 'One');
    const [mira, noor] = await Promise.all([join(project.code), join(project.code)]);
    for (const [path, method, most] of [
      ['one/scores', 'POST', limits.gameScoresPerMinute],
      ['one/data', 'PUT', limits.gameSavesPerMinute],
    ] as const) {
      const body = method === 'PUT' ? { data: 1, version: 9 } : { score: 1 };
      let refusal;
      // The limit refills a little meanwhile.
      for (let sent = 0; sent < 3 * most && refusal === undefined; sent++) {
        const answer = await play(project, method, path, mira.token, body);
        if (answer.status === 429) refusal = answer;
      }
      expect(refusal?.headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await play(project, method, path, noor.token, body)).status).not.toBe(429);
    }
  });

  test('are watched live by their owner, and every call is metered', async () => {
    const project = await makeProject();
    await add(project, 'One');
    const { token } = await join(project.code);
    const live = await openLive(portal.url, { token: project.owner.token });
    await play(project, 'POST', 'one/scores', token, { score: 1 });
    const played = () => live.changes.filter(({ kind }) => kind === 'played');
    await until('the page is told', () => played().length > 0);
    expect(played()).toEqual([{ projectId: project.code, kind: 'played' }]);
    live.close();
    const rows = await portal.db.query(
      'select endpoint, method, status_code from api_usage where user_id = $1',
      [project.owner.userId],
    );
    expect(rows).toEqual([{ endpoint: '/api/v1/games/{game}/scores', method: 'POST', status_code: 200 }]);
  });

  describe('a leaderboard that a page waits for', () => {
    const board = (project: Project, query: string) => play(project, 'GET', `one/leaderboard?${query}`);
    /** Resolves once that many calls wait. */
    const waits = (count: number) =>
      until('the calls wait', () => portal.app.get(LeaderboardWaits).size === count);
    const withGame = async () => {
      const project = await makeProject();
      await add(project, 'One');
      return { project, player: await join(project.code) };
    };

    test('answers when a score changes it, to all who wait, and at once to a caller with an older version', async () => {
      const { project, player } = await withGame();
      const { body: empty } = await board(project, '');
      expect(empty).toEqual({ version: expect.stringMatching(/^[0-9a-f]{16}$/), scores: [] });
      const waiting = Promise.all(
        ['', '&limit=1', '&period=today'].map((query) => board(project, `after=${empty.version}${query}`)),
      );
      await waits(3);
      await play(project, 'POST', 'one/scores', player.token, { score: 7 });
      for (const { status, body } of await waiting) {
        expect([status, body.scores.map(({ score }: { score: number }) => score)]).toEqual([200, [7]]);
        expect(body.version).not.toBe(empty.version);
      }
      expect((await board(project, `after=${empty.version}`)).body.scores).toHaveLength(1);
      await waits(0);
    });

    test('ends when the game is deleted, and when the caller leaves', async () => {
      const { project } = await withGame();
      const { version } = (await board(project, '')).body;
      const leaving = new AbortController();
      const left = fetch(`${portal.url}/api/v1/games/one/leaderboard?after=${version}`, {
        headers: { 'x-api-key': project.key },
        signal: leaving.signal,
      });
      await waits(1);
      leaving.abort();
      await expect(left).rejects.toThrow();
      await waits(0);
      const waiting = board(project, `after=${version}`);
      await waits(1);
      expect((await own(project, 'DELETE', '/one')).status).toBe(204);
      expect((await waiting).body.code).toBe('game.notFound');
      await waits(0);
    });

    test('takes a bounded number of calls of one owner and from one address, and still those of others', async () => {
      const { project } = await withGame();
      const other = await withGame();
      const { version } = (await board(project, '')).body;
      const leaving = new AbortController();
      const call = ({ key }: Project, address: number) =>
        fetch(`${portal.url}/api/v1/games/one/leaderboard?after=${version}`, {
          headers: { 'x-api-key': key, 'x-forwarded-for': `203.0.113.${address}` },
          signal: leaving.signal,
        });
      const expectRefused = async (answer: Response) => {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '5']);
        expect(await answer.json()).toMatchObject({
          message: expect.stringContaining('Too many calls wait for a leaderboard'),
        });
      };
      const [most, ofAddress] = [limits.leaderboardWaitsPerOwner, limits.leaderboardWaitsPerAddress];
      const waiting = Array.from({ length: most }, (_, i) =>
        call(project, Math.floor(i / ofAddress)).catch(() => null),
      );
      await waits(most);
      await expectRefused(await call(project, 200));
      await expectRefused(await call(other.project, 0));
      expect((await board(project, '')).status).toBe(200);
      const theirs = call(other.project, 200);
      await waits(most + 1);
      await play(other.project, 'POST', 'one/scores', other.player.token, { score: 1 });
      expect((await theirs).status).toBe(200);
      leaving.abort();
      await Promise.all(waiting);
      await waits(0);
    });

    test('answers at once when the instance stops', async () => {
      const stopping = await startAnother(portal);
      const { project } = await withGame();
      const headers = { 'x-api-key': project.key };
      const url = `${stopping.url}/api/v1/games/one/leaderboard`;
      const first = (await (await fetch(url, { headers })).json()) as { version: string };
      const waiting = fetch(`${url}?after=${first.version}`, { headers });
      await until('the call waits', () => stopping.app.get(LeaderboardWaits).size === 1);
      const closing = stopping.close();
      const answer = await waiting;
      expect([answer.status, await answer.json()]).toEqual([200, first]);
      await closing;
    });
  });

  test('can be called by a page of the project’s site: the preflight allows the token and the method', async () => {
    const { headers } = await portal.call('OPTIONS', '/api/v1/games/one/data', {
      headers: {
        origin: site,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,content-type,x-api-key',
      },
    });
    expect(headers.get('access-control-allow-methods')).toContain('PUT');
    expect(headers.get('access-control-allow-headers')).toContain('authorization');
  });

  test('keep their data and scores by the guide’s example, also when two devices save at once', async () => {
    const project = await makeProject();
    await add(project, 'Coin Rush');
    const { token } = await join(project.code);
    const text = keepExample(portal.url).replace('YOUR_API_KEY', project.key);
    const module = `${text.replaceAll('export ', '')}; return { load, save, report };`;

    const page = new Function(module)() as GuidePage;
    const merge = (one: { coins: number }, other: { coins: number }) => ({ coins: one.coins + other.coins });
    expect(await page.load(token)).toMatchObject({ data: null, version: 0 });
    const saved = await Promise.all([1, 2, 4].map((coins) => page.save(token, { coins }, 0, merge)));
    expect(saved.map(({ version }) => version).sort()).toEqual([1, 2, 3]);
    expect(await page.load(token)).toMatchObject({ data: { coins: 7 }, version: 3 });
    expect(await page.report(token, 12)).toMatchObject({ status: 200, best: 12, rank: 1 });
  });

  test('show their leaderboard live by the guide’s example', async () => {
    const project = await makeProject();
    await add(project, 'Coin Rush');
    const { token } = await join(project.code);
    const text = watchExample(portal.url).replace('YOUR_API_KEY', project.key);
    const module = `${text.replaceAll('export ', '')}; return watch;`;
    const exported = (send: typeof fetch) =>
      new Function('fetch', module)(send) as (
        show: (scores: { score: number }[]) => void,
        signal?: AbortSignal,
      ) => Promise<void>;
    const watch = exported(fetch);

    const shown: number[][] = [];
    const leaving = new AbortController();
    const watching = watch((scores) => shown.push(scores.map(({ score }) => score)), leaving.signal);
    for (const [count, score] of [
      [1, 5],
      [2, 9],
    ] as const) {
      await until('the scores are shown', () => shown.length === count);
      await play(project, 'POST', 'coin-rush/scores', token, { score });
    }
    await until('the last score is shown', () => shown.length === 3);
    leaving.abort();
    await watching;
    expect(shown).toEqual([[], [5], [9]]);

    // Without a signal it never ends, so its second request is kept waiting.
    const asked: number[][] = [];
    const once: typeof fetch = (...request) =>
      asked.length === 0 ? fetch(...request) : new Promise<never>(() => undefined);
    void exported(once)((scores) => asked.push(scores.map(({ score }) => score)));
    await until('the scores are shown without a signal', () => asked.length > 0);
    expect(asked).toEqual([[9]]);
  });

  test('take a bounded number of calls from their owner, over all games together', async () => {
    const project = await makeProject();
    const games = await Promise.all([1, 2, 3].map((n) => add(project, `Game ${n}`)));
    let refusal;
    // The limit refills a little meanwhile.
    for (let sent = 0; sent < 3 * limits.ownGameCallsPerMinute && refusal === undefined; sent++) {
      const answer = await own(project, 'GET', `/${games[sent % 3]}/data`);
      if (answer.status === 429) refusal = answer;
    }
    expect(refusal?.body.message).toContain('calls a minute to your own games');
  });

  test('are played by their owner in the playground, who becomes a player', async () => {
    const project = await makeProject();
    await add(project, 'One');
    expect((await own(project, 'GET', '/one/data')).body).toEqual({ data: null, version: 0, saved_at: null });
    expect((await own(project, 'PUT', '/one/data', { data: [1], version: 0 })).body.version).toBe(1);
    expect((await own(project, 'PUT', '/one/data', { data: [2], version: 0 })).body).toMatchObject({
      code: 'game.dataChanged',
      current: { data: [1], version: 1 },
    });
    expect((await own(project, 'POST', '/one/scores', { score: 3 })).body.rank).toBe(1);
    expect((await own(project, 'GET')).body[0]).toMatchObject({ players: 1, plays: 1, errors: 1 });
  });
});
