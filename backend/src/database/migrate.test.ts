import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createApp } from '../app.factory.js';
import { parseEnvironment } from '../config/environment.js';
import { User } from '../auth/user.entity.js';
import { startRelay } from '../testing/database.relay.js';
import { createTestDatabase } from '../testing/test.app.js';

const variables = { NODE_ENV: 'test', LOG_LEVEL: 'error', PORTAL_SECRET: 'm'.repeat(32) };

describe('starting on a database', () => {
  test('two instances that start at once on an empty one migrate it once', async () => {
    const { address, drop } = await createTestDatabase({ empty: true });
    const start = () =>
      createApp({ environment: parseEnvironment(variables), address, webRoot: '/nonexistent' });
    const apps = await Promise.all([start(), start()]);
    const client = new pg.Client(address);
    await client.connect();
    const { rows } = await client.query('select name, count(*)::int as times from migrations group by name');
    await client.end();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row.times === 1)).toBe(true);
    await Promise.all(apps.map((app) => app.close()));
    await drop();
  });

  test('the portal starts even if the first connection of its pool breaks', async () => {
    const { address, drop } = await createTestDatabase();
    let isCut = false;
    const relay = await startRelay(address, (client, upstream) => {
      client.once('data', (start) => {
        const isOfPool = start.includes('application_name\0orange-portal\0');
        if (isOfPool && !isCut) {
          isCut = true;
          client.destroy();
          return;
        }
        upstream.write(start);
        client.pipe(upstream);
        upstream.pipe(client);
      });
    });
    const app = await createApp({
      environment: parseEnvironment(variables),
      address: relay.address,
      webRoot: '/nonexistent',
    });
    expect(isCut).toBe(true);
    expect(await app.get(DataSource).query('select 1 as one')).toEqual([{ one: 1 }]);
    await app.close();
    relay.close();
    await drop();
  });

  test('a secret other than the one that encrypted the database is refused with an error that names the variable', async () => {
    const { address, drop } = await createTestDatabase();
    const start = (secret: string, previous = '') =>
      createApp({
        environment: parseEnvironment({
          ...variables,
          PORTAL_SECRET: secret,
          PORTAL_SECRET_PREVIOUS: previous,
        }),
        address,
        webRoot: '/nonexistent',
      });
    await (await start('a'.repeat(32))).close();
    await expect(start('b'.repeat(32))).rejects.toThrow(
      "PORTAL_SECRET isn't the secret that encrypted this database",
    );
    await (await start('b'.repeat(32), 'a'.repeat(32))).close();
    await (await start('b'.repeat(32))).close();
    await drop();
  });

  test('a query with an undefined or null condition throws instead of dropping the filter', async () => {
    const { address, drop } = await createTestDatabase();
    const app = await createApp({
      environment: parseEnvironment(variables),
      address,
      webRoot: '/nonexistent',
    });
    const users = app.get(DataSource).getRepository(User);
    await expect(users.findOneBy({ id: undefined as unknown as string })).rejects.toThrow();
    await expect(users.findOneBy({ id: null as unknown as string })).rejects.toThrow();
    await app.close();
    await drop();
  });
});
