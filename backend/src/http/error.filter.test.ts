import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BadRequestException } from '@nestjs/common';
import { DataSource, QueryRunner } from 'typeorm';
import { parseEnvironment } from '../config/environment.js';
import { dataSourceOptions } from '../database/database.options.js';
import { createTestDatabase } from '../testing/test.app.js';
import { asPortalError } from './error.filter.js';

describe('lock errors of the database', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase({ empty: true });
    const environment = parseEnvironment({ NODE_ENV: 'test', PORTAL_SECRET: 'm'.repeat(32) });
    dataSource = await new DataSource(dataSourceOptions(database.address, environment)).initialize();
    await dataSource.query('create table rows (id integer primary key)');
    await dataSource.query('insert into rows values (1), (2)');
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const withTwo = async (act: (one: QueryRunner, other: QueryRunner) => Promise<void>) => {
    const runners = [dataSource.createQueryRunner(), dataSource.createQueryRunner()] as const;
    try {
      for (const runner of runners) await runner.startTransaction();
      await act(...runners);
    } finally {
      for (const runner of runners) {
        await runner.rollbackTransaction();
        await runner.release();
      }
    }
  };
  const lock = (runner: QueryRunner, id: number): Promise<unknown> =>
    runner.query('select from rows where id = $1 for update', [id]);
  const busy = { code: 'database.busy', statusCode: 503, retryAfterSeconds: 1 };

  test('a deadlock returns a retryable error to the transaction that the database cancels', () =>
    withTwo(async (one, other) => {
      await lock(one, 1);
      await lock(other, 2);
      const outcomes = await Promise.allSettled([lock(one, 2), lock(other, 1)]);
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused).toHaveLength(1);
      expect(refused[0]?.reason).toMatchObject({ driverError: { code: '40P01' } });
      expect(asPortalError(refused[0]?.reason)).toMatchObject(busy);
    }));

  test('a lock time-out returns the same error', () =>
    withTwo(async (one, other) => {
      await lock(one, 1);
      await other.query(`set local lock_timeout = '1ms'`);
      const error: unknown = await lock(other, 1).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ driverError: { code: '55P03' } });
      expect(asPortalError(error)).toMatchObject(busy);
    }));

  test('any other error of a statement is an internal error', async () => {
    const error: unknown = await dataSource.query('select nothing from nowhere').catch((e: unknown) => e);
    expect(asPortalError(error)).toMatchObject({ code: 'server.failed', statusCode: 500 });
  });
});

test.each([
  ['Nest', new BadRequestException('Unexpected token in "Query read timeout"')],
  ['Fastify', Object.assign(new Error('Unexpected token in "Query read timeout"'), { statusCode: 400 })],
])('text of a client in an error of %s never counts as a database outage', (_, error) => {
  expect(asPortalError(error)).toMatchObject({ code: 'request.invalid', statusCode: 400 });
});
