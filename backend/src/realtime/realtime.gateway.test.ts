import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { SignJWT } from 'jose';
import type { Socket } from 'socket.io-client';
import { newId } from '../database/new.id.js';
import { ConnectionLost } from '../database/steady.connection.js';
import { signingAlgorithm, SigningKeysService } from '../identity/tokens/signing-keys.service.js';
import { Live, LiveOptions, openLive } from '../testing/open.live.js';
import { seedKey, SeededKey } from '../testing/seed.key.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { startAnother, startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import type { MeteredCall } from '../usage/metered.call.js';
import { UsageRecorder } from '../usage/usage.recorder.js';
import { ProjectChanges } from './project.changes.js';
import { RealtimeGateway } from './realtime.gateway.js';

interface Owner extends SignedUp {
  key: SeededKey;
}

describe('the live connection', () => {
  let portal: TestApp;
  const opened: Live[] = [];
  beforeAll(async () => {
    portal = await startTestApp({ RATE_LIMIT_PER_ADDRESS: '100000', RATE_LIMIT_PER_KEY: '100000' });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    opened.splice(0).forEach((live) => live.close());
  });
  afterAll(() => portal.close());

  const open = async (options: LiveOptions, url = portal.url): Promise<Live> => {
    const live = await openLive(url, options);
    opened.push(live);
    return live;
  };
  const newOwner = async (): Promise<Owner> => {
    const user = await signUp(portal);
    return { ...user, key: await seedKey(portal, { userId: user.userId }) };
  };
  /** An access token as a sign-in creates it, with another expiry, in ms since the epoch (rounded up to the second). */
  const tokenUntil = async (owner: Owner, expiresAtMs: number): Promise<string> => {
    const [{ id }] = await portal.db.query('select id from refresh_tokens where user_id = $1', [
      owner.userId,
    ]);
    const { kid, privateKey } = portal.app.get(SigningKeysService).signer;
    const expiresAt = Math.ceil(expiresAtMs / 1000);
    return new SignJWT({ provider: 'email', sid: id })
      .setProtectedHeader({ alg: signingAlgorithm, kid, typ: 'JWT' })
      .setSubject(owner.userId)
      .setIssuer(portal.environment.PUBLIC_URL)
      .setAudience(portal.environment.TENANT_ID)
      .setIssuedAt(expiresAt - 3600)
      .setExpirationTime(expiresAt)
      .sign(privateKey);
  };
  const call = (owner: Owner, path = '/api/v1/key') =>
    portal.call('GET', path, { headers: { 'x-api-key': owner.key.key } });
  const refusal = (options: LiveOptions): Promise<unknown> =>
    open(options).then(
      () => 'connected',
      (error: Error & { data?: { code?: string } }) => error.data?.code ?? error.message,
    );
  /** Stores calls like the hot path, without HTTP. */
  const store = (owner: Owner, count: number) => {
    const recorder = portal.app.get(UsageRecorder);
    const row: MeteredCall = {
      userId: owner.userId,
      keyId: owner.key.keyId,
      projectId: owner.key.project?.code ?? null,
      endpoint: '/api/v1/key',
      method: 'GET',
      statusCode: 200,
      responseTime: 1,
      at: Date.now(),
      origin: null,
      outcome: 'ok',
      errorCode: null,
      path: null,
      calls: 1,
    };
    return Promise.all(
      Array.from({ length: count }, () => new Promise((settle) => recorder.record({ ...row }, settle))),
    );
  };
  const seqs = (live: Live) => live.rows.map((row) => row.seq);
  const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i);

  test('is refused without a token, with a wrong token, from another origin and over polling', async () => {
    const { token } = await newOwner();
    expect(await refusal({})).toBe('auth.required');
    expect(await refusal({ token: 'nonsense' })).toBe('auth.tokenInvalid');
    expect(await refusal({ token: `${token.slice(0, -4)}AAAA` })).toBe('auth.tokenInvalid');
    expect(await refusal({ token, origin: 'https://evil.example.com' })).not.toBe('connected');
    expect(await refusal({ token, transports: ['polling'] })).not.toBe('connected');
    expect(await refusal({ token, origin: portal.environment.PUBLIC_URL })).toBe('connected');
  });

  test('is refused with a token that has expired', async () => {
    const owner = await newOwner();
    const token = await tokenUntil(owner, Date.now() - 1_000);
    expect(await refusal({ token })).toBe('auth.tokenInvalid');
  });

  test('delivers a call right after its response, with the same rows as /api/usage', async () => {
    const owner = await newOwner();
    const live = await open({ token: owner.token });
    expect(await live.resume(0)).toEqual({ ok: true, head: 0 });
    await call(owner);
    await until('the row arrives', () => live.rows.length === 1);
    const page = await portal.call('GET', '/api/usage', { token: owner.token });
    expect(live.rows).toEqual(page.body.rows);
  });

  test('sends nothing before the page has sent its position', async () => {
    const owner = await newOwner();
    const [silent, resumed] = [await open({ token: owner.token }), await open({ token: owner.token })];
    await resumed.resume(0);
    await call(owner);
    await until('the other page has the row', () => resumed.rows.length === 1);
    expect(silent.rows).toEqual([]);
  });

  test('after a gap, resuming delivers every missed row once and in order, then the following ones', async () => {
    const owner = await newOwner();
    const first = await open({ token: owner.token });
    await first.resume(0);
    await store(owner, 7);
    await until('seven rows arrive', () => first.rows.length === 7);
    first.close();
    await store(owner, 1500);
    const second = await open({ token: owner.token });
    const held = seqs(first).at(-1) as number;
    expect(await second.resume(held)).toEqual({ ok: true, head: 1507 });
    await store(owner, 30);
    await until('the rest arrives', () => seqs(second).at(-1) === 1537);
    expect([...seqs(first), ...seqs(second)]).toEqual(upTo(1537));
    expect(second.summaries).toEqual([]);
    expect(Math.max(...second.pushes.map((push) => push.rows))).toBeLessThanOrEqual(200);
  });

  test('rows that a page missed before it resumes arrive as rows, even if there are enough for a summary', async () => {
    const owner = await newOwner();
    await store(owner, 4500);
    const live = await open({ token: owner.token });
    expect(await live.resume(0)).toEqual({ ok: true, head: 4500 });
    await until('the owed rows arrive', () => live.rows.length >= 4500, 20_000);
    expect(seqs(live).slice(0, 4500)).toEqual(upTo(4500));
  }, 30_000);

  test('a page too far behind, or ahead of the database, is asked to resync and then gets the following rows', async () => {
    const owner = await newOwner();
    await store(owner, 5001);
    const [behind, ahead] = [await open({ token: owner.token }), await open({ token: owner.token })];
    expect(await behind.resume(0)).toEqual({ resync: true, head: 5001, reason: 'behind' });
    expect(await ahead.resume(9000)).toEqual({ resync: true, head: 5001, reason: 'ahead' });
    await store(owner, 3);
    await until('both have the rest', () => behind.rows.length === 3 && ahead.rows.length === 3);
    expect(seqs(behind)).toEqual([5002, 5003, 5004]);
    expect(seqs(ahead)).toEqual([5002, 5003, 5004]);
  });

  test('a page that falls far behind gets summaries, which together with its rows count every call once', async () => {
    const owner = await newOwner();
    const live = await open({ token: owner.token });
    await live.resume(0);
    await store(owner, 9000);
    await until('the end arrives', () => seqs(live).at(-1) === 9000, 20_000);
    expect(live.summaries.length).toBeGreaterThan(0);
    const covered = new Set(seqs(live));
    expect(covered.size).toBe(live.rows.length);
    const twice: number[] = [];
    for (const { calls, errors, from, to } of live.summaries) {
      expect([calls, errors]).toEqual([to - from + 1, 0]);
      for (let seq = from; seq <= to; seq++) {
        if (covered.has(seq)) twice.push(seq);
        covered.add(seq);
      }
    }
    expect(twice).toEqual([]);
    expect(covered.size).toBe(9000);
  }, 30_000);

  test("two users never receive each other's events, whatever they send", async () => {
    const [ann, bob] = [await newOwner(), await newOwner()];
    const [annsPage, bobsPage] = [await open({ token: ann.token }), await open({ token: bob.token })];
    await annsPage.resume(0);
    await bobsPage.resume(0);
    const raw = bobsPage.socket as unknown as { emit(event: string, ...args: unknown[]): void };
    for (const event of ['join', 'subscribe', 'room', 'usage.rows', 'project.changed']) {
      raw.emit(event, `user:${ann.userId}`, { userId: ann.userId, room: `user:${ann.userId}` });
    }
    portal.app.get(ProjectChanges).emit(ann.userId, { projectId: 'orange-anns', kind: 'updated' });
    for (let round = 0; round < 10; round++) await Promise.all([call(ann), call(bob), call(ann)]);
    await until('both have their rows', () => annsPage.rows.length === 20 && bobsPage.rows.length === 10);
    expect(new Set(annsPage.rows.map((row) => row.keyId))).toEqual(new Set([ann.key.keyId]));
    expect(new Set(bobsPage.rows.map((row) => row.keyId))).toEqual(new Set([bob.key.keyId]));
    expect(annsPage.changes).toEqual([{ projectId: 'orange-anns', kind: 'updated' }]);
    expect(bobsPage.changes).toEqual([]);
  });

  test('a user may have twenty pages, also when opened at once; closing one frees its place', async () => {
    const owner = await newOwner();
    const asked = await Promise.all(Array.from({ length: 30 }, () => refusal({ token: owner.token })));
    expect(asked.filter((answer) => answer === 'connected')).toHaveLength(20);
    expect(asked.filter((answer) => answer === 'live.tooManyConnections')).toHaveLength(10);
    const error: unknown = await open({ token: owner.token }).catch((refused: unknown) => refused);
    expect(error).toMatchObject({
      message: 'You have 20 live connections, the maximum. Close a tab that shows this portal',
      data: { statusCode: 429, code: 'live.tooManyConnections' },
    });
    const other = await newOwner();
    expect(await refusal({ token: other.token })).toBe('connected');
    opened[0]?.close();
    await until('there is room again', async () => (await refusal({ token: owner.token })) === 'connected');
    expect(await refusal({ token: owner.token })).toBe('live.tooManyConnections');
  });

  const ask = (live: Live, request: unknown): Promise<unknown> =>
    (live.socket as unknown as Socket).timeout(10_000).emitWithAck('resume', request);

  test('a malformed resume gets the reason to reload, and the page gets the following rows', async () => {
    const owner = await newOwner();
    await store(owner, 2);
    for (const request of [{ after: -1 }, { after: '0' }, { after: 0, userId: newId() }, {}, null, 7]) {
      const live = await open({ token: owner.token });
      expect(await ask(live, request)).toEqual({ resync: true, head: 2, reason: 'malformed' });
      expect(live.socket.connected).toBe(true);
    }
    await call(owner);
    await until('all pages have the row', () => opened.every((live) => live.rows.length === 1));
    expect(new Set(opened.flatMap(seqs))).toEqual(new Set([3]));
  });

  test('a page may resume again and continues from the position that it sent last', async () => {
    const owner = await newOwner();
    await store(owner, 9);
    const live = await open({ token: owner.token });
    const answers = await Promise.all([ask(live, { after: 9 }), ask(live, 'x'), ask(live, { after: 7 })]);
    expect(answers).toEqual([
      { ok: true, head: 9 },
      { resync: true, head: 9, reason: 'malformed' },
      { ok: true, head: 9 },
    ]);
    await until('the last two rows arrive', () => live.rows.length === 2);
    expect(seqs(live)).toEqual([8, 9]);
  });

  test('an oversized message, a flood, or a request without a callback ends the connection, not the server', async () => {
    const owner = await newOwner();
    const emit = (live: Live, ...args: unknown[]) =>
      (live.socket as unknown as { emit(...args: unknown[]): void }).emit('resume', ...args);
    const hostile: ((live: Live) => void)[] = [
      (live) => emit(live, 'x'.repeat(20_000), () => undefined),
      (live) => emit(live, { after: 0 }),
      (live) => upTo(100).forEach(() => emit(live, { after: 0 }, () => undefined)),
    ];
    for (const [place, send] of hostile.entries()) {
      const live = await open({ token: owner.token });
      send(live);
      await until(`${place} is answered by a cut`, () => !live.socket.connected);
    }
    expect((await call(owner)).status).toBe(200);
  });

  test('a page that resumes again and again, waiting for each response, is disconnected', async () => {
    const owner = await newOwner();
    const live = await open({ token: owner.token });
    for (let n = 0; n < limits.resumesPerConnection; n++) {
      expect(await live.resume(0)).toEqual({ ok: true, head: 0 });
    }
    const cut = new Promise((resolve) => live.socket.once('disconnect', resolve));
    const more = live.resume(0).then(
      () => 'answered',
      () => 'cut',
    );
    await Promise.race([cut, more]);
    await until('the connection is cut', () => !live.socket.connected);
  });

  test('pages of one user that resume on ever new connections are disconnected; those of others are not', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const resumes = jest.spyOn(portal.app.get(RealtimeGateway)['pusher'], 'resume');
    // Twice the limit: if it is reached within seconds, all but a few resumes above it are refused.
    const connections = (2 * limits.resumesPerMinute) / limits.resumesPerConnection;
    let cut = 0;
    for (let n = 0; n < connections; n++) {
      const live = await open({ token: owner.token });
      const gone = new Promise<boolean>((resolve) => live.socket.once('disconnect', () => resolve(true)));
      for (let again = 0; again < limits.resumesPerConnection && live.socket.connected; again++) {
        if (await Promise.race([gone, live.resume(0).then(() => false)])) cut++;
      }
      live.close();
    }
    const answered = resumes.mock.calls.length;
    resumes.mockRestore();
    expect(answered).toBeGreaterThanOrEqual(limits.resumesPerMinute);
    expect(cut).toBeGreaterThan(0);
    const page = await open({ token: other.token });
    expect(await page.resume(0)).toEqual({ ok: true, head: 0 });
  });

  test.each([
    { why: 'the database is away', error: new ConnectionLost('gone'), lines: [] },
    { why: 'of a defect', error: new Error('a defect'), lines: ['resuming failed: Error: a defect'] },
  ])(
    'a page that cannot be resumed because $why is disconnected to try again; only a defect is logged',
    async ({ error, lines }) => {
      const owner = await newOwner();
      const live = await open({ token: owner.token });
      const gateway = portal.app.get(RealtimeGateway);
      jest.spyOn(gateway['pusher'], 'resume').mockRejectedValueOnce(error);
      const log = jest.spyOn(gateway['logger'], 'error').mockReturnValue();
      live.socket.emit('resume', { after: 0 }, () => undefined);
      await until('the connection is cut', () => !live.socket.connected);
      expect(log.mock.calls.flat()).toEqual(lines);
      jest.restoreAllMocks();
      const again = await open({ token: owner.token });
      expect(await again.resume(0)).toEqual({ ok: true, head: 0 });
    },
  );

  test('the live tail goes on after a read that fails; only a defect is logged', async () => {
    const owner = await newOwner();
    const live = await open({ token: owner.token });
    await live.resume(0);
    const pusher = portal.app.get(RealtimeGateway)['pusher'];
    const log = jest.spyOn(pusher['logger'], 'error').mockReturnValue();
    const reads = jest.spyOn(pusher as unknown as { serve(owners: string[]): Promise<void> }, 'serve');
    reads.mockRejectedValueOnce(new ConnectionLost('gone')).mockRejectedValueOnce(new Error('a defect'));
    for (const read of [1, 2]) {
      pusher.wake([owner.userId]);
      await until(`read ${read} has failed`, () => reads.mock.calls.length >= read && !pusher['isRunning']);
    }
    expect(log.mock.calls.flat()).toEqual(['the live tail failed: Error: a defect']);
    jest.restoreAllMocks();
    await store(owner, 1);
    await until('the row arrives', () => live.rows.length === 1);
  });

  test('a check of the open sessions that fails ends none of them; only a defect is logged', async () => {
    const owner = await newOwner();
    const live = await open({ token: owner.token });
    const gateway = portal.app.get(RealtimeGateway);
    const log = jest.spyOn(gateway['logger'], 'error').mockReturnValue();
    const check = jest.spyOn(gateway['verifier'], 'endedAmong');
    check.mockRejectedValueOnce(new ConnectionLost('gone')).mockRejectedValueOnce(new Error('a defect'));
    for (let n = 0; n < 2; n++) await gateway['checkSessions']();
    expect(log.mock.calls.flat()).toEqual(['checking sign-ins failed: Error: a defect']);
    jest.restoreAllMocks();
    expect(live.socket.connected).toBe(true);
  });

  test('the connection ends at the expiry of the token, and nothing is sent afterwards', async () => {
    const owner = await newOwner();
    const token = await tokenUntil(owner, Date.now() + 2_000);
    const live = await open({ token });
    await live.resume(0);
    // The expiry is at most 3 s away.
    await until('the connection is cut', () => !live.socket.connected, 4_000);
    expect(live.endings).toEqual(['expired']);
    const other = await open({ token: owner.token });
    await other.resume(0);
    await call(owner);
    await until('the page with a valid token has the row', () => other.rows.length === 1);
    expect(live.rows).toEqual([]);
  }, 15_000);

  test('signing out ends the connections of that session at once and no others', async () => {
    const other = await newOwner();
    const kept = await open({ token: other.token });
    const owners = [await newOwner(), await newOwner()];
    // Twice in a row: the slow database poll, which also notices, could mask a failure only once.
    for (const owner of owners) {
      const left = await open({ token: owner.token });
      await portal.call('POST', '/api/v1/auth/logout', { token: owner.token });
      await until('the connection is cut', () => !left.socket.connected, 1_500);
      expect(left.endings).toEqual(['signedOut']);
    }
    expect(kept.socket.connected).toBe(true);
  });

  test('a session that ends only in the database is noticed too', async () => {
    const owner = await newOwner();
    const live = await open({ token: owner.token });
    await portal.db.query('update refresh_tokens set revoked_at = now() where user_id = $1', [owner.userId]);
    await until('the connection is cut', () => !live.socket.connected);
    expect(live.endings).toEqual(['signedOut']);
  }, 15_000);

  describe('between two instances on one database', () => {
    let second: Awaited<ReturnType<typeof startAnother>>;
    beforeAll(async () => {
      second = await startAnother(portal);
    });
    afterAll(() => second.close());

    /** Turns off the 5 s database poll, so that only a notification can end a connection. */
    const withoutLooking = () => {
      const spies = [portal, second].map(({ app }) =>
        jest
          .spyOn(app.get(RealtimeGateway) as unknown as { checkSessions(): Promise<void> }, 'checkSessions')
          .mockResolvedValue(),
      );
      return () => spies.forEach((spy) => spy.mockRestore());
    };

    test('signing out everywhere closes every page of the account at both, with 60 sessions', async () => {
      const lookAgain = withoutLooking();
      const { email, token } = await newOwner();
      const other = await newOwner();
      const kept = await open({ token: other.token }, second.url);
      const body = { email, password: 'a long enough password' };
      const tokens = [token];
      while (tokens.length < 60) {
        const answer = await portal.call('POST', '/api/v1/auth/email/login', { body });
        tokens.push(answer.body.token.accessToken);
      }
      // As many pages as one user may have open at one instance.
      const pages = await Promise.all([
        ...tokens.slice(0, 20).map((each) => open({ token: each })),
        ...tokens.slice(40).map((each) => open({ token: each }, second.url)),
      ]);
      const answer = await portal.call('DELETE', '/api/v1/auth/sessions', { token });
      expect(answer.status).toBe(204);
      await until('every page is cut', () => pages.every(({ socket }) => !socket.connected), 2_000);
      expect(pages.map(({ endings }) => endings)).toEqual(pages.map(() => ['signedOut']));
      await expect(open({ token }, second.url)).rejects.toMatchObject({
        data: { code: 'auth.tokenInvalid' },
      });
      expect(kept.socket.connected).toBe(true);
      lookAgain();
    }, 30_000);

    test('ending one session closes its page at the other instance and no other page of the account', async () => {
      const lookAgain = withoutLooking();
      const owner = await newOwner();
      const body = { email: owner.email, password: 'a long enough password' };
      const elsewhere = (await portal.call('POST', '/api/v1/auth/email/login', { body })).body.token;
      const kept = await open({ token: owner.token }, second.url);
      const left = await open({ token: elsewhere.accessToken }, second.url);
      const sessions = (await portal.call('GET', '/api/v1/auth/sessions', { token: owner.token })).body;
      const { id } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
      const { token } = owner;
      expect((await portal.call('DELETE', `/api/v1/auth/sessions/${id}`, { token })).status).toBe(204);
      await until('its page is cut', () => !left.socket.connected, 2_000);
      expect(left.endings).toEqual(['signedOut']);
      expect(kept.socket.connected).toBe(true);
      lookAgain();
    }, 20_000);

    test('delivers calls, project changes and the end of a session that happened at the first', async () => {
      const owner = await newOwner();
      const other = await newOwner();
      const live = await open({ token: owner.token }, second.url);
      const others = await open({ token: other.token }, second.url);
      await live.resume(0);
      await others.resume(0);
      await call(owner);
      await call(owner);
      await until('the rows arrive', () => live.rows.length === 2);
      const { token } = owner;
      const body = { projectName: 'Acme', whitelistURL: ['https://example.com'] };
      const { projectId } = (await portal.call('POST', '/devportal/v1/project', { token, body })).body;
      await until('the new project is heard of', () => live.changes.length === 1);
      expect((await portal.call('DELETE', `/api/projects/${projectId}`, { token })).status).toBe(204);
      await until('its end is heard of', () => live.changes.length === 2);
      await portal.call('POST', '/api/v1/auth/logout', { token: owner.token });
      await until('the connection is cut', () => !live.socket.connected);
      expect(seqs(live)).toEqual([1, 2]);
      expect(live.changes).toEqual([
        { projectId, kind: 'created' },
        { projectId, kind: 'deleted' },
      ]);
      expect(live.endings).toEqual(['signedOut']);
      expect([others.rows, others.changes, others.endings]).toEqual([[], [], []]);
      expect(others.socket.connected).toBe(true);
    }, 20_000);
  });
});
