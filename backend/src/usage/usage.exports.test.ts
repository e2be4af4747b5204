import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { createdExport } from '@orange-id/contract/usage.export.schema';
import { usageMatcher } from '@orange-id/contract/usage.filter.rule';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { usageRow, UsageRow } from '@orange-id/contract/usage.schema';
import { Logger } from '@nestjs/common';
import { WAITS } from '../config/waits.js';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, IncomingMessage } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { seedKey, SeededKey } from '../testing/seed.key.js';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { withWait } from '../testing/with.wait.js';
import { ExportDownloads } from './export.downloads.js';
import { UsageExportsController } from './usage.exports.controller.js';
import { UsageExports } from './usage.exports.js';
import { UsageRollups } from './usage.rollups.js';
import { usageColumns, UsageRecord, usageRowOf } from './usage.sql.js';
import { taken } from '../testing/taken.js';

const minute = 60_000;

describe('usage exports', () => {
  let portal: TestApp;
  let owner: SignedUp;
  let other: SignedUp;
  let project: SeededKey;
  let saved: SeededKey;
  const now = Date.now();
  beforeAll(async () => {
    portal = await startTestApp();
    owner = await signUp(portal);
    other = await signUp(portal);
    project = await seedKey(portal, { userId: owner.userId });
    saved = await seedKey(portal, { userId: owner.userId, isSaved: true });
    await addRows(6_000);
    await portal.app.get(UsageRollups).fold();
    // An export includes rows that are not in the roll-ups yet.
    await addRows(1_500);
  });
  afterAll(() => portal.close());

  /** Stores calls with several outcomes, at times scattered over ten minutes. */
  async function addRows(count: number): Promise<void> {
    await portal.db.query(
      `with head as (
         insert into usage_heads as h (user_id, seq) values ($1, $2)
         on conflict (user_id) do update set seq = h.seq + $2 returning seq
       )
       insert into api_usage (seq, user_id, api_key_id, project_id, endpoint, method, status_code, response_time,
         timestamp, origin, outcome, calls)
       select head.seq - $2 + n, $1, case when n % 3 = 0 then $3::uuid else $4::uuid end,
         case when n % 3 = 0 then null else $5 end, '/api/v1/key', 'GET',
         (array[200, 200, 403, 503])[1 + n % 4], n % 50, to_timestamp(($6::float8 - (n * 7919 % 600000)) / 1000),
         (array[null, 'local', 'https://a.example.com'])[1 + n % 5 % 3],
         (array['ok', 'ok', 'blocked', 'error'])[1 + n % 4], 1
       from head, generate_series(1, $2::int) as n`,
      [owner.userId, count, saved.keyId, project.keyId, project.project?.code, now],
    );
  }

  const allRows = async (): Promise<UsageRow[]> => {
    const records: UsageRecord[] = await portal.db.query(
      `select ${usageColumns} from api_usage where user_id = $1 order by seq desc`,
      [owner.userId],
    );
    return records.map(usageRowOf);
  };

  /** Requests an export and returns its address and the cookie for the browser. */
  async function ask(filters: UsageFilters = {}, format = 'ndjson', token = owner.token) {
    const answer = await portal.call('POST', '/api/usage/exports', { token, body: { format, filters } });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    const made = createdExport.strict().parse(answer.body);
    const setCookie = answer.headers.get('set-cookie') as string;
    return { ...made, setCookie, cookie: setCookie.split(';')[0] as string };
  }
  const fetchWith = (url: string, headers: Record<string, string>) => portal.call('GET', url, { headers });
  const linesOf = (text: string): UsageRow[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => usageRow.strict().parse(JSON.parse(line)));

  test('returns 401 without a token, and 400 or 404 for filters that cannot be exported', async () => {
    const post = (body: unknown, token = owner.token) =>
      portal.call('POST', '/api/usage/exports', { token, body });
    expect((await portal.call('POST', '/api/usage/exports', { body: {} })).status).toBe(401);
    expect((await post({ format: 'xlsx', filters: {} })).body.message).toContain('format');
    expect((await post({ format: 'csv', filters: { status: '6xx' } })).body.message).toContain(
      'filters.status',
    );
    const backwards = { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' };
    expect((await post({ format: 'csv', filters: backwards })).body.message).toContain('must be before to');
    const foreign = await post({ format: 'csv', filters: { projectId: project.project?.code } }, other.token);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'project.notFound']);
    const foreignKey = await post({ format: 'csv', filters: { keyId: saved.keyId } }, other.token);
    expect([foreignKey.status, foreignKey.body.code]).toEqual([404, 'keys.notFound']);
  });

  test('returns 200 with the named, uncached file; the cookie is limited to that address', async () => {
    const { url, fileName, cookie, setCookie, expiresAt } = await ask({ status: '503' }, 'csv');
    expect(setCookie).toMatch(
      new RegExp(`^usage-export=[\\w-]{43}; Path=${url}; Max-Age=60; HttpOnly; SameSite=Strict$`),
    );
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(limits.exportAddressMs);
    const answer = await fetchWith(url, { cookie: `theme=dark; ${cookie}` });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${fileName}"`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const matching = (await allRows()).filter(usageMatcher({ status: '503' }));
    const lines = answer.text.split('\r\n').slice(1, -1);
    // Excel reads a file without a byte-order mark in the alphabet of its country. `text()` drops it.
    const raw = Buffer.from(
      await (
        await fetch(portal.url + (await ask({}, 'csv', other.token)).url, {
          headers: { authorization: `Bearer ${other.token}` },
        })
      ).arrayBuffer(),
    );
    expect(raw.subarray(0, 7).toString('hex')).toBe('efbbbf7365712c');
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(matching.map(({ seq }) => seq));
  });

  test.each<UsageFilters>([
    {},
    { from: new Date(now - 3 * minute).toISOString() },
    { from: new Date(now - 6 * minute).toISOString(), to: new Date(now - 4 * minute).toISOString() },
    { to: new Date(now - 9 * minute).toISOString(), status: 'blocked' },
    { from: new Date(now - 5 * minute).toISOString(), status: 'errors', origin: 'local' },
    { origin: 'none', method: 'GET', endpoint: '/api/v1/key' },
    { from: new Date(now + minute).toISOString() },
    { method: 'POST' },
  ])('contains exactly the rows that match the filters, newest first: %j', async (filters) => {
    const { url, cookie } = await ask(filters);
    const rows = linesOf((await fetchWith(url, { cookie })).text);
    expect(rows).toEqual((await allRows()).filter(usageMatcher(filters)));
  });

  test('if its rows cannot be located in time, all rows of the owner are read; another error ends the export with 500', async () => {
    const filters = { from: new Date(now - 3 * minute).toISOString() };
    const ended: { status: number; rows: number }[] = [];
    for (const code of ['57014', '42601']) {
      const { url, cookie } = await ask(filters);
      const query = portal.db.query.bind(portal.db);
      const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
      const reads = jest.spyOn(portal.db, 'query').mockImplementation((async (sql: string, values: []) => {
        if (sql.includes('with watermark as materialized'))
          throw Object.assign(new Error('no'), { driverError: { code } });
        return query(sql, values);
      }) as never);
      const { status, text } = await fetchWith(url, { cookie });
      reads.mockRestore();
      log.mockRestore();
      ended.push({ status, rows: status === 200 ? linesOf(text).length : 0 });
    }
    const matching = (await allRows()).filter(usageMatcher(filters)).length;
    expect(ended).toEqual([
      { status: 200, rows: matching },
      { status: 500, rows: 0 },
    ]);
  });

  test('at an https address the cookie is sent over https only', async () => {
    const controller = portal.app.get(UsageExportsController);
    const environment = { ...portal.environment, PUBLIC_URL: 'https://portal.example.com' };
    const https = jest.replaceProperty(controller, 'environment' as never, environment as never);
    const { setCookie } = await ask().finally(() => https.restore());
    expect(setCookie).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
  });

  test('filters by key and by project', async () => {
    for (const filters of [{ keyId: saved.keyId }, { projectId: project.project?.code as string }]) {
      const { url, cookie } = await ask(filters);
      const rows = linesOf((await fetchWith(url, { cookie })).text);
      expect(rows.length).toBeGreaterThan(1_000);
      expect(rows).toEqual((await allRows()).filter(usageMatcher(filters)));
    }
  });

  test('contains the rows at the time of the request, not later ones', async () => {
    const from = new Date(now - 20 * minute).toISOString();
    const asked = await ask({ from });
    const before = await allRows();
    await addRows(5);
    const rows = linesOf((await fetchWith(asked.url, { cookie: asked.cookie })).text);
    expect(rows.map(({ seq }) => seq)).toEqual(before.map(({ seq }) => seq));
  });

  test('an owner without calls gets a file without rows', async () => {
    const { url, cookie } = await ask({ from: new Date(now).toISOString() }, 'csv', other.token);
    const answer = await fetchWith(url, { cookie });
    expect([answer.status, answer.text.split('\r\n').length]).toEqual([200, 2]);
    const lines = await ask({}, 'ndjson', other.token);
    const empty = await fetchWith(lines.url, { cookie: lines.cookie });
    expect([empty.status, empty.text]).toEqual([200, '']);
  });

  const expectGone = async (url: string, headers: Record<string, string>) => {
    const answer = await fetchWith(url, headers);
    expect([answer.status, answer.body.code]).toEqual([410, 'usage.exportGone']);
    expect(answer.body.message).toBe(
      'This download was already used, is older than 60 seconds or was started in another browser. Export again',
    );
  };

  test('the same browser gets the same whole file again, also if it asks for a range, as iOS does', async () => {
    const { url, cookie } = await ask({ status: '503' }, 'csv');
    const first = await fetchWith(url, { cookie, range: 'bytes=0-1' });
    await addRows(5);
    const second = await fetchWith(url, { cookie, range: 'bytes=2-' });
    for (const answer of [first, second]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-range')).toBeNull();
      expect(answer.headers.get('accept-ranges')).toBe('none');
    }
    expect(second.text).toBe(first.text);
    await expectGone(url, {});
    await expectGone(url, { cookie: 'usage-export=nonsense' });
    await expectGone(url, { authorization: `Bearer ${owner.token}` });
  });

  test('a used address no longer counts as waiting', async () => {
    for (let made = 0; made <= limits.exportAddressesPerUser; made++) {
      const { url, cookie } = await ask({}, 'csv', other.token);
      expect((await fetchWith(url, { cookie })).status).toBe(200);
    }
  });

  test('with a bearer token one of many concurrent downloads gets the file', async () => {
    const { url, cookie } = await ask({ status: '503' });
    const headers = { authorization: `Bearer ${owner.token}` };
    const answers = taken(await Promise.all(Array.from({ length: 20 }, () => fetchWith(url, headers))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...answers.slice(1).map(() => 410)]);
    await expectGone(url, { cookie });
  });

  test('without its cookie, with the cookie of another export, or as another user the address returns nothing and stays unused', async () => {
    const [mine, second] = [await ask({ status: '503' }), await ask({ status: '503' })];
    await expectGone(mine.url, {});
    await expectGone(mine.url, { cookie: second.cookie });
    await expectGone(mine.url, { cookie: 'usage-export=' });
    await expectGone(mine.url, { authorization: `Bearer ${other.token}` });
    const unsigned = await fetchWith(mine.url, { authorization: 'Bearer nonsense', cookie: mine.cookie });
    expect(unsigned.status).toBe(401);
    const looked = await fetch(portal.url + mine.url, { method: 'HEAD', headers: { cookie: mine.cookie } });
    expect(looked.status).toBe(404);
    expect((await fetchWith(mine.url, { cookie: mine.cookie })).status).toBe(200);
    expect((await fetchWith(second.url, { authorization: `Bearer ${owner.token}` })).status).toBe(200);
    await expectGone('/api/usage/exports/nonsense', { cookie: mine.cookie });
  });

  test('an expired address returns 410, and the next export deletes it', async () => {
    const { url, cookie } = await ask();
    await portal.db.query("update usage_exports set expires_at = now() - interval '1 millisecond'");
    await expectGone(url, { cookie });
    const next = await ask();
    const [{ count }] = await portal.db.query('select count(*)::int as count from usage_exports');
    expect(count).toBe(1);
    await fetchWith(next.url, { cookie: next.cookie });
  });

  test('neither the address nor the cookie is stored in plain text', async () => {
    const { url, cookie } = await ask();
    const token = url.split('/').at(-1) as string;
    const [row] = await portal.db.query(
      'select *, usage_exports::text as text from usage_exports where used_at is null',
    );
    expect(row.text).not.toContain(token);
    expect(row.text).not.toContain(cookie.split('=')[1]);
    expect(row.token_hash).toEqual(createHash('sha256').update(token).digest());
    await fetchWith(url, { cookie });
  });

  test('a user has at most ten unused addresses', async () => {
    for (let made = 0; made < limits.exportAddressesPerUser; made++) await ask();
    const answer = await portal.call('POST', '/api/usage/exports', {
      token: owner.token,
      body: { format: 'csv', filters: {} },
    });
    expect([answer.status, answer.body.code]).toEqual([429, 'usage.exportsWaiting']);
    expect(answer.headers.get('retry-after')).toBe('60');
    await ask({}, 'csv', other.token);
    await portal.db.query('delete from usage_exports');
  });

  test('of 60 concurrent requests ten get an address', async () => {
    const body = { format: 'csv', filters: {} };
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        portal.call('POST', '/api/usage/exports', { token: other.token, body }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201).length;
    const refused = answers.filter(({ body: { code } }) => code === 'usage.exportsWaiting').length;
    await portal.db.query('delete from usage_exports');
    expect([made, refused]).toEqual([limits.exportAddressesPerUser, 60 - limits.exportAddressesPerUser]);
  });

  test('reads rows only as fast as the client consumes them', async () => {
    const exports = portal.app.get(UsageExports);
    const text = exports.text({
      userId: owner.userId,
      format: 'ndjson',
      filters: {},
      upToSeq: (await allRows()).length,
      askedAt: new Date(),
    });
    let [read, taken, furthest] = [0, 0, 0];
    const counted = async function* () {
      for await (const piece of text) {
        read += piece.split('\n').length - 1;
        furthest = Math.max(furthest, read - taken);
        yield piece;
      }
    };
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        setImmediate(() => {
          taken += chunk.toString().split('\n').length - 1;
          done();
        });
      },
    });
    await pipeline(Readable.from(counted(), { objectMode: false }), slow);
    expect(taken).toBe((await allRows()).length);
    expect(furthest).toBeLessThanOrEqual(3 * 500);
  });

  test('stops reading when the client disconnects', async () => {
    const exports = portal.app.get(UsageExports);
    const text = exports.text.bind(exports);
    const ended = new Promise<number>((resolve) => {
      exports.text = async function* (wanted) {
        let pieces = 0;
        try {
          for await (const piece of text(wanted)) {
            pieces++;
            yield piece;
          }
        } finally {
          resolve(pieces);
        }
      };
    });
    const { url, cookie } = await ask();
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(portal.url + url, { headers: { cookie } }, resolve).on('error', reject);
    });
    answer.destroy();
    const [{ count }] = await portal.db.query('select count(*)::int from api_usage where user_id = $1', [
      owner.userId,
    ]);
    const whole = Math.ceil(count / 500);
    expect(await ended).toBeLessThan(whole);
    exports.text = text;
  });

  describe('that their clients do not read', () => {
    beforeAll(() => addRows(100_000));
    const open: IncomingMessage[] = [];
    afterEach(async () => {
      for (const answer of open.splice(0)) answer.destroy();
      await until('their places are free', async () => (await statusOf(other)) === 201);
      await portal.db.query('delete from usage_exports');
    });
    /** Starts a download and reads nothing of it. */
    const begin = async (token = owner.token) => {
      const { url, cookie } = await ask({}, 'ndjson', token);
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        get(portal.url + url, { headers: { cookie } }, resolve).on('error', reject);
      });
      answer.on('error', () => undefined);
      open.push(answer);
      return { answer, url, cookie };
    };
    const statusOf = async ({ token }: SignedUp) => {
      const body = { format: 'csv', filters: {} };
      return (await portal.call('POST', '/api/usage/exports', { token, body })).status;
    };
    const fill = () => Promise.all(Array.from({ length: limits.exportDownloadsPerUser }, () => begin()));

    test('an export that breaks off aborts the connection, so that the client does not take the file for complete', async () => {
      const { url, cookie } = await ask();
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        get(portal.url + url, { headers: { cookie } }, resolve).on('error', reject);
      });
      expect(answer.statusCode).toBe(200);
      // The client has consumed nothing yet, so the server cannot have read everything.
      await portal.db.query('alter table api_usage rename to api_usage_away');
      const ended = once(answer, 'end');
      answer.resume();
      await expect(ended).rejects.toThrow('aborted');
      expect(answer.complete).toBe(false);
      await portal.db.query('alter table api_usage_away rename to api_usage');
      const again = await ask({ status: '503' });
      expect((await fetchWith(again.url, { cookie: again.cookie })).status).toBe(200);
    });

    test('are limited per user: a further one gets 429 and keeps its address', async () => {
      const waiting = await Promise.all(Array.from({ length: 6 }, () => ask({ status: '503' })));
      await fill();
      const answers = await Promise.all(waiting.map(({ url, cookie }) => fetchWith(url, { cookie })));
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        answers.map(() => [429, 'usage.downloadsRunning']),
      );
      expect(answers[0]?.headers.get('retry-after')).toBe('1');
      const refused = await portal.call('POST', '/api/usage/exports', {
        token: owner.token,
        body: { format: 'csv', filters: {} },
      });
      expect([refused.status, refused.body.code]).toEqual([429, 'usage.downloadsRunning']);
      expect(await statusOf(other)).toBe(201);
      open.splice(0).forEach((answer) => answer.destroy());
      const [{ url, cookie }] = waiting as [(typeof waiting)[0]];
      await until('a place is free', async () => (await fetchWith(url, { cookie })).status === 200);
    });

    test('are limited in total: a further one of another user gets 429 and keeps its address', async () => {
      const total = jest.replaceProperty(portal.app.get(ExportDownloads)['all'], 'max' as never, 2 as never);
      const { url, cookie } = await ask({}, 'csv', other.token);
      await fill();
      const answer = await fetchWith(url, { cookie });
      expect([answer.status, answer.body.code]).toEqual([429, 'usage.downloadsBusy']);
      expect(answer.headers.get('retry-after')).toBe('1');
      total.restore();
      expect((await fetchWith(url, { cookie })).status).toBe(200);
    });

    test('are cut at the deadline', async () => {
      const { answer } = await withWait(portal.app.get(WAITS), 'exportMs', 100, () => begin());
      await until('the connection is cut', () => answer.resume().closed);
      expect(answer.complete).toBe(false);
    });
  });
});
