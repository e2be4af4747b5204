import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { parseEnvironment } from '../config/environment.js';
import { PasswordHasher } from '../identity/email/password.hasher.js';
import { createTestDatabase, startAnother } from '../testing/test.app.js';
import { dataSourceOptions } from './database.options.js';
import { Init1763683200000 } from './migrations/0001-init.js';
import { UsageExports1763769600000 } from './migrations/0002-usage-exports.js';
import { newId } from './new.id.js';

describe('accounts from before email links and linked methods', () => {
  test('sign in as before and keep their sessions, each with its sign-in method', async () => {
    const { address, drop } = await createTestDatabase({ empty: true });
    const environment = parseEnvironment({
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      PORTAL_SECRET: 'm'.repeat(32),
    });
    const before = await new DataSource({
      ...dataSourceOptions(address, environment),
      migrations: [Init1763683200000, UsageExports1763769600000],
    }).initialize();
    await before.runMigrations();
    const [withPassword, withWallet] = [newId(), newId()];
    const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
    const email = 'Ada@example.com';
    const passwordHash = await new PasswordHasher().hash('a long enough password');
    await before.query(
      `insert into users (id, issuer, subject, email, email_verified, eth_address, provider, created_at) values
         ($1::uuid, 'embedded', $1::uuid::text, $3, true, null, 'email', '2026-01-02T00:00:00Z'),
         ($2::uuid, 'embedded', $2::uuid::text, null, false, $4, 'wallet', '2026-01-03T00:00:00Z')`,
      [withPassword, withWallet, email, wallet],
    );
    await before.query('insert into credentials (user_id, password_hash) values ($1, $2)', [
      withPassword,
      passwordHash,
    ]);
    await before.query(
      `insert into linked_identities (id, user_id, provider, subject) values ($1, $2, 'wallet', $3)`,
      [newId(), withWallet, wallet],
    );
    for (const [userId, provider] of [
      [withPassword, 'email'],
      [withWallet, 'wallet'],
    ]) {
      await before.query(
        `insert into refresh_tokens (id, user_id, token_hash, provider, expires_at)
         values ($1, $2, $3, $4, now() + interval '1 day')`,
        [newId(), userId, createHash('sha256').update(`of ${provider}`).digest(), provider],
      );
    }
    await before.destroy();

    const portal = await startAnother({ environment, address });
    try {
      const call = (path: string, body: object) => portal.call('POST', path, { body });
      const signedIn = await call('/api/v1/auth/email/login', {
        email: 'ada@example.com',
        password: 'a long enough password',
      });
      expect(signedIn.body.user).toEqual({ id: withPassword });
      const identifiers = await portal.call('GET', '/api/v1/auth/identifiers', {
        token: signedIn.body.token.accessToken,
      });
      expect(identifiers.body).toMatchObject([
        { provider: 'email', label: email, isVerified: true, linkedAt: '2026-01-02T00:00:00.000Z' },
      ]);
      for (const provider of ['email', 'wallet']) {
        const { status } = await call('/api/v1/auth/refresh', { refreshToken: `of ${provider}` });
        expect([provider, status]).toEqual([provider, 200]);
      }
      const signIns = await portal.app.get(DataSource).query(
        `select r.provider, l.subject from refresh_tokens r left join linked_identities l on l.id = r.identity_id
         where token_hash in (sha256('of email'), sha256('of wallet')) order by 1`,
      );
      expect(signIns).toEqual([
        { provider: 'email', subject: null },
        { provider: 'wallet', subject: wallet },
      ]);
    } finally {
      await portal.close();
      await drop();
    }
  });
});
