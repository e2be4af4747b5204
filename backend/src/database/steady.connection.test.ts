import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type DatabaseRelay, startRelay } from '../testing/database.relay.js';
import type { Socket } from 'node:net';
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

describe('a connection through an outage', () => {
  let drop: () => Promise<void>;
  let relay: DatabaseRelay;
  let connection: SteadyConnection;
  let attempts = 0;
  let isAway = false;
  const open = new Set<Socket>();
  const seen: string[] = [];
  /** Cuts the connection and all new ones. */
  const cut = () => {
    isAway = true;
    attempts = 0;
    for (const socket of open) socket.destroy();
  };

  beforeAll(async () => {
    for (const level of ['warn', 'log'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((text) => void seen.push(text));
    }
    const database = await createTestDatabase({ empty: true });
    drop = database.drop;
    relay = await startRelay(database.address, (client, upstream) => {
      attempts += 1;
      if (isAway) return void client.destroy();
      open.add(client);
      client.pipe(upstream).pipe(client);
    });
    connection = new SteadyConnection(relay.address, {
      name: 'test',
      prepare: async (client) => void (await client.query("set application_name = 'prepared'")),
      onUp: () => seen.push('up'),
      onDown: () => seen.push('down'),
    });
    await connection.start();
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await connection.stop();
    relay.close();
    await drop();
  });
  const ask = (text: string) => connection.query({ text }, 5_000);

  test('each outage and its end are logged once, whatever the number of attempts', async () => {
    expect(seen.splice(0)).toEqual(['up']);
    for (const outage of ['the first', 'the second']) {
      const running = ask('select pg_sleep(10)').catch((error: unknown) => error);
      cut();
      expect(await running).toBeInstanceOf(ConnectionLost);
      await until(`${outage} outage lasts for three attempts`, () => attempts >= 3);
      expect(connection.isUp).toBe(false);
      await expect(ask('select 1')).rejects.toBeInstanceOf(ConnectionLost);
      isAway = false;
      await until('it is connected again', () => connection.isUp);
      expect((await ask('show application_name')).rows).toEqual([{ application_name: 'prepared' }]);
      expect(seen.splice(0)).toEqual([
        expect.stringMatching(/^not reachable, trying again: ./),
        'down',
        'connected again',
        'up',
      ]);
    }
  });

  test('a statement without a result within its time ends the connection and fails the statements behind it', async () => {
    const late = connection.query({ text: 'select pg_sleep(10)' }, 50);
    const behind = ask('select 1');
    await expect(late).rejects.toMatchObject({ message: 'no answer to test within 50 ms' });
    await expect(behind).rejects.toBeInstanceOf(ConnectionLost);
    await until('it is connected again', () => connection.isUp);
    expect((await ask('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('a stop rejects open statements and logs nothing', async () => {
    seen.length = 0;
    const [running, waiting] = [ask('select pg_sleep(10)'), ask('select 1')].map((call) =>
      call.catch((error: unknown) => error),
    );
    await connection.stop();
    expect(await running).toMatchObject({ message: 'stopped' });
    expect(await waiting).toMatchObject({ message: 'stopped' });
    await expect(ask('select 1')).rejects.toMatchObject({ message: 'no connection for test' });
    expect(seen).toEqual([]);
  });
});
