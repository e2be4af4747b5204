import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { DatabaseAddress } from '../config/database.address.js';
import { databaseProblems } from './database.check.js';
import { createTestDatabase } from '../testing/test.app.js';
import { startHandmadePostgres } from '../testing/handmade.postgres.js';

let address: DatabaseAddress;
let drop: () => Promise<void>;
let admin: pg.Client;
const role = `role_${randomBytes(6).toString('hex')}`;
beforeAll(async () => {
  ({ address, drop } = await createTestDatabase());
  admin = new pg.Client(address);
  await admin.connect();
  await admin.query(`create role ${role} login`);
});
afterAll(async () => {
  await admin.query(`drop role ${role}`);
  await admin.end();
  await drop();
});

test('a database that the portal can use has no problem', async () => {
  expect(await databaseProblems(address)).toEqual([]);
});

test('a user without rights on the schema, and a read-only database, are named at once', async () => {
  await admin.query(`alter role ${role} set default_transaction_read_only = on`);
  expect(await databaseProblems({ ...address, user: role })).toEqual([
    `DATABASE_URL must be a database in whose schema public the user may create tables; for example grant create on schema public to "${role}"`,
    'DATABASE_URL must be a database that accepts writes (it is read-only, as a standby is)',
  ]);
});

test('a database that does not exist is named, with the command that creates it', async () => {
  expect(await databaseProblems({ ...address, database: 'missing' })).toEqual([
    `DATABASE_URL must name a database that exists (there is no "missing"); for example create database "missing" owner "${address.user}"`,
  ]);
});

test('an encoding other than UTF-8 is refused', async () => {
  const name = `latin_${randomBytes(6).toString('hex')}`;
  await admin.query(
    `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
  );
  expect(await databaseProblems({ ...address, database: name })).toEqual([
    `DATABASE_URL must be a database in UTF-8 (it is LATIN1); for example create database "${name}" encoding 'UTF8' template template0`,
  ]);
  await admin.query(`drop database ${name}`);
});

test('a wrong password is called that, without showing it', async () => {
  const server = await startHandmadePostgres('28P01');
  const [problem, ...others] = await databaseProblems({
    ...address,
    host: '127.0.0.1',
    port: server.port,
    password: 'hunter2',
  });
  server.close();
  expect(others).toEqual([]);
  expect(problem).toBe(
    `DATABASE_URL must have the right user and password (the server refused those of the user "${address.user}"); check both, and write special characters percent-encoded`,
  );
});
