import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { reasonIn } from './embedded.postgres.js';
import { PostgresSupervisor } from './postgres.supervisor.js';

const megabyte = 1_048_576;

/** A fake server that behaves as a test sets it, with a record of its calls. */
const server = () => {
  const it = {
    runs: true,
    acceptsNow: true,
    /** The result of a start. */
    outcome: 'runs' as 'runs' | 'fails' | 'hangs',
    free: 0,
    attempts: [] as number[],
    halts: 0,
    trims: 0,
    isStopped: false,
    fail: (): void => undefined,
    isRunning: async () => it.runs,
    accepts: async () => it.runs && it.acceptsNow,
    start: async () => {
      it.attempts.push(performance.now());
      if (it.outcome === 'hangs')
        await new Promise<void>((_, reject) => (it.fail = () => reject(new Error())));
      if (it.outcome === 'fails') throw new Error('could not start');
      it.runs = true;
    },
    halt: async () => {
      it.halts++;
      it.runs = false;
      it.fail();
    },
    stop: async () => {
      it.runs = false;
      it.isStopped = true;
    },
    lastWords: async () => 'No space left on device',
    room: async () => it.free,
    trimLog: async () => void it.trims++,
  };
  return it;
};

describe('the embedded database under supervision', () => {
  let postgres: ReturnType<typeof server>;
  let supervisor: PostgresSupervisor;
  let lines: string[];
  beforeEach(() => {
    jest.useFakeTimers();
    postgres = server();
    lines = [];
    const note = (line: string) => void lines.push(line);
    supervisor = new PostgresSupervisor(postgres, { warn: note, log: note });
    supervisor.watch();
  });
  afterEach(async () => {
    await supervisor.stop();
    jest.useRealTimers();
  });
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const ended = 'The embedded database stopped unexpectedly. Restarting it: No space left on device';
  const failing = 'The embedded database cannot be started yet, trying again: No space left on device';
  const back = 'The embedded database is back';

  test('is not restarted while it runs', async () => {
    await pass(60_000);
    expect(postgres.attempts).toEqual([]);
    expect(lines).toEqual([]);
  });

  test('has its log cut once a minute, also while it is stopped', async () => {
    await pass(1_000);
    expect(postgres.trims).toBe(1);
    await pass(58_000);
    expect(postgres.trims).toBe(1);
    postgres.runs = false;
    postgres.outcome = 'fails';
    await pass(2_000);
    expect(postgres.trims).toBe(2);
  });

  test('a check that fails is logged once, and again only if it fails after it succeeded', async () => {
    const { isRunning } = postgres;
    const breaks = async () => Promise.reject(new Error('EIO'));
    const line = 'Supervising the embedded database failed: Error: EIO';
    postgres.isRunning = breaks;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(lines).toEqual([line]);
    postgres.isRunning = isRunning;
    await jest.advanceTimersByTimeAsync(250);
    postgres.isRunning = breaks;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(lines).toEqual([line, line]);
  });

  test('is started again at once after it ended', async () => {
    await pass(1_000);
    postgres.runs = false;
    await pass(250);
    expect(postgres.attempts).toHaveLength(1);
    await pass(10_000);
    expect(postgres.attempts).toHaveLength(1);
    expect(lines).toEqual([ended, back]);
  });

  test('is restarted with backoff, at least every 3.5 s, and an outage is logged once', async () => {
    postgres.runs = false;
    postgres.outcome = 'fails';
    await pass(60_000);
    const waits = postgres.attempts.map((at, n) => at - (postgres.attempts[n - 1] ?? at)).slice(1);
    expect(waits).toEqual([...waits].sort((one, other) => one - other));
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(waits.at(-1)).toBeLessThanOrEqual(3_500);
    expect(postgres.attempts.length).toBeLessThan(30);
    expect(lines).toEqual([ended, failing]);

    postgres.outcome = 'runs';
    await pass(10_000);
    expect(postgres.runs).toBe(true);
    expect(lines).toEqual([ended, failing, back]);
  });

  test('is restarted at once when space becomes free', async () => {
    postgres.runs = false;
    postgres.outcome = 'fails';
    await pass(60_000);
    while (performance.now() - (postgres.attempts.at(-1) as number) > 250) await pass(50);
    const before = postgres.attempts.length;
    postgres.free = 15 * megabyte;
    await pass(500);
    expect(postgres.attempts).toHaveLength(before);
    postgres.outcome = 'runs';
    postgres.free = 16 * megabyte;
    await pass(250);
    expect(postgres.attempts).toHaveLength(before + 1);
    expect(postgres.runs).toBe(true);
  });

  test('ending again right after a start belongs to the same outage and is not retried without a pause', async () => {
    postgres.runs = false;
    const end = setInterval(() => (postgres.runs = false), 300);
    await pass(30_000);
    clearInterval(end);
    expect(lines).toEqual([ended]);
    expect(postgres.attempts.length).toBeLessThan(20);
  });

  test('counts as recovered only after it has accepted connections for 5 s', async () => {
    postgres.runs = false;
    postgres.acceptsNow = false;
    await pass(20_000);
    postgres.acceptsNow = true;
    await pass(4_900);
    expect(lines).toEqual([ended]);
    await pass(500);
    expect(lines).toEqual([ended, back]);
  });

  test('is halted and not restarted if the portal stops while the database starts', async () => {
    postgres.runs = false;
    postgres.outcome = 'hangs';
    await pass(250);
    expect(postgres.attempts).toHaveLength(1);
    const stopped = supervisor.stop();
    await pass(1_000);
    await stopped;
    expect(postgres.halts).toBeGreaterThanOrEqual(1);
    expect(postgres.isStopped).toBe(true);
    await pass(60_000);
    expect(postgres.attempts).toHaveLength(1);
    expect(lines).toEqual([ended]);
  });
});

describe('the reason why the database ended', () => {
  const log = (...lines: string[]) => lines.map((line) => `2026-01-01 00:00:00 UTC [7] ${line}\n`).join('');
  const ready = 'LOG:  database system is ready to accept connections';

  test.each([
    ['', null],
    [log(ready, 'LOG:  checkpoint starting'), null],
    [log('PANIC:  of an earlier run', ready), null],
    [
      log(ready, 'PANIC:  could not write', 'FATAL:  the database system is in recovery mode'),
      'could not write',
    ],
    [log('FATAL:  data directory has wrong ownership', 'LOG:  done'), 'data directory has wrong ownership'],
    [log('FATAL:  the database system is starting up'), null],
    [log('ERROR:  duplicate key', "STATEMENT:  insert into t values ('FATAL: secret')"), null],
  ])('is read from its log: %j', (text, reason) => {
    expect(reasonIn(text)).toBe(reason);
  });
});
