import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { ConnectionLost, SteadyConnection } from './steady.connection.js';

describe('a steady connection', () => {
  let drop: () => Promise<void>;
  let connection: SteadyConnection;
  beforeAll(async () => {
    const database = await createTestDatabase({ empty: true });
    drop = database.drop;
    connection = new SteadyConnection(database.address, { name: 'test' });
    await connection.start();
  });
  afterAll(async () => {
    await connection.stop();
    await drop();
  });
  const ask = (text: string) => connection.query({ text }, 5_000);

  test('rejects a statement with the server’s error, and runs the next one', async () => {
    await expect(ask('select nothing from nowhere')).rejects.toMatchObject({ code: '42P01' });
    expect((await ask('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('an error that ends the connection is not a refusal: whether the statement took effect is unknown', async () => {
    await ask("set transaction_timeout = '20ms'");
    const error: unknown = await ask('select pg_sleep(5)').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionLost);
    expect((error as Error).cause).toMatchObject({ severity: 'FATAL', code: '25P04' });
    await until('it is connected again', () => connection.isUp);
    expect((await ask('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
