import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import pg from 'pg';
import { SignedUp, signUp } from '../testing/sign.up.js';
import { Answer, startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { UsageBulkhead } from './usage.bulkhead.js';

describe('twelve parallel usage queries of one user', () => {
  let portal: TestApp;
  let asker: SignedUp;
  let other: SignedUp;
  let holder: pg.Client;
  beforeAll(async () => {
    portal = await startTestApp();
    asker = await signUp(portal);
    other = await signUp(portal);
    holder = new pg.Client(portal.address);
    await holder.connect();
  }, 30_000);
  afterAll(async () => {
    await holder.end();
    await portal.close();
  });

  const waitingReads = async (): Promise<number> => {
    const { rows } = await holder.query<{ count: number }>(
      // Only the connections of the request pool; the portal has others.
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'orange-portal' and wait_event_type = 'Lock'`,
    );
    return rows[0]?.count ?? 0;
  };

  test('leave enough connections for other users, whose requests all succeed in the meantime', async () => {
    // Blocks every read of the calls, as half a million rows would.
    await holder.query('begin');
    await holder.query('lock table api_usage in access exclusive mode');
    const paths = ['/api/usage', '/api/analytics/metrics', '/api/usage?status=blocked'];
    const answers: Answer[] = [];
    let isOver = false;
    // On a busy machine the requests of the others outlast a query, which waits 2 s for the lock.
    const ask = async (path: string) => {
      do answers.push(await portal.call('GET', path, { token: asker.token }));
      while (!isOver);
    };
    const questions = Array.from({ length: 12 }, (_, place) => ask(paths[place % 3] as string));
    await until('the first questions wait in the database', async () => (await waitingReads()) >= 2);

    const others: Answer[] = [];
    for (let turn = 0; turn < 8; turn++) {
      for (const path of ['/devportal/v1/user/projects', '/api/usage/keys', '/api/v1/auth/user']) {
        others.push(await portal.call('GET', path, { token: other.token }));
      }
    }
    const held = await waitingReads();
    isOver = true;
    await holder.query('rollback');
    await Promise.all(questions);

    expect(others.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    expect(held).toBeLessThanOrEqual(2);
    const isExpected = ({ status, body }: Answer) =>
      [200, 429].includes(status) || body.code === 'database.busy';
    expect(answers.filter((answer) => !isExpected(answer))).toEqual([]);
    const refused = answers.filter(({ status }) => status === 429);
    for (const { body, headers } of refused) {
      expect(body).toEqual({
        statusCode: 429,
        message: 'Too many usage requests at once. Try again in a moment',
        error: 'Too Many Requests',
        code: 'usage.tooManyQueries',
      });
      expect(headers.get('retry-after')).toBe('1');
    }
  });
});

describe('usage query slots', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  /** Starts a query that runs until its `answer` is called. */
  function ask(bulkhead: UsageBulkhead, userId: string, waitMs?: number) {
    const question = { isRunning: false, answer: (): void => undefined, code: '' };
    const open = () =>
      new Promise<void>((resolve) => {
        question.isRunning = true;
        question.answer = () => {
          question.isRunning = false;
          resolve();
        };
      });
    bulkhead.run(userId, open, waitMs).then(
      () => (question.code = 'ok'),
      (error: { code: string }) => (question.code = error.code),
    );
    return question;
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const running = (questions: { isRunning: boolean }[]) => questions.map(({ isRunning }) => isRunning);
  const codes = (questions: { code: string }[]) => questions.map(({ code }) => code);

  test('two queries per user and four in total run at once; the next one starts when a slot is free', async () => {
    const bulkhead = new UsageBulkhead();
    const one = [ask(bulkhead, 'one'), ask(bulkhead, 'one'), ask(bulkhead, 'one')];
    const two = [ask(bulkhead, 'two'), ask(bulkhead, 'two')];
    const three = [ask(bulkhead, 'three')];
    await turn();
    expect([running(one), running(two), running(three)]).toEqual([
      [true, true, false],
      [true, true],
      [false],
    ]);
    one[0]?.answer();
    await turn();
    // A query that already waits for a shared slot runs before one that waited for a slot of its user.
    expect([running(one), running(three)]).toEqual([[false, true, false], [true]]);
    two[0]?.answer();
    await turn();
    expect([running(one), codes(one)]).toEqual([
      [false, true, true],
      ['ok', '', ''],
    ]);
  });

  test('a query that waited 2 s is refused, and a running query is never cut off', async () => {
    const bulkhead = new UsageBulkhead();
    const questions = [ask(bulkhead, 'one'), ask(bulkhead, 'one'), ask(bulkhead, 'one')];
    const patient = ask(bulkhead, 'one', limits.exportPieceWaitMs);
    await turn();
    jest.advanceTimersByTime(1_999);
    await turn();
    expect(codes(questions)).toEqual(['', '', '']);
    jest.advanceTimersByTime(1);
    await turn();
    expect(codes(questions)).toEqual(['', '', 'usage.tooManyQueries']);
    questions[0]?.answer();
    await turn();
    expect([codes(questions), patient.isRunning, questions[2]?.isRunning]).toEqual([
      ['ok', '', 'usage.tooManyQueries'],
      true,
      false,
    ]);
  });

  test('a user with ten waiting queries gets further ones refused at once, and other users still get a slot', async () => {
    const bulkhead = new UsageBulkhead();
    const many = Array.from({ length: 14 }, () => ask(bulkhead, 'one'));
    const other = ask(bulkhead, 'other');
    await turn();
    expect(codes(many)).toEqual([
      ...Array<string>(12).fill(''),
      'usage.tooManyQueries',
      'usage.tooManyQueries',
    ]);
    expect(other.isRunning).toBe(true);
  });

  test('a failed query frees its slot, and users without open queries use no memory', async () => {
    const bulkhead = new UsageBulkhead();
    for (let turns = 0; turns < 5; turns++) {
      await expect(bulkhead.run('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
    await expect(bulkhead.run('one', () => Promise.resolve(7))).resolves.toBe(7);
    await turn();
    expect(bulkhead['users'].size).toBe(0);
  });
});
