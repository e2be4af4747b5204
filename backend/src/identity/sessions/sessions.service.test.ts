import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { newId } from '../../database/new.id.js';
import { signUp } from '../../testing/sign.up.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';
import { until } from '../../testing/until.js';
import { holdAccount, holdIdentity } from '../../auth/account.locks.js';
import { portalTenant } from '../../auth/tenant.js';
import { SignInProof, SessionsService } from './sessions.service.js';

const client = { userAgent: undefined, origin: undefined, tenant: portalTenant };

/** A promise with its resolve function. */
function gate(): [Promise<void>, () => void] {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return [opened, () => open()];
}

describe('a session that begins while its sign-in method is changing', () => {
  let portal: TestApp;
  let sessions: SessionsService;
  beforeAll(async () => {
    portal = await startTestApp();
    sessions = portal.app.get(SessionsService);
  });
  afterAll(() => portal.close());

  const standing = async (userId: string): Promise<number> => {
    const [{ count }] = await portal.db.query(
      'select count(*)::int from refresh_tokens where user_id = $1 and revoked_at is null',
      [userId],
    );
    return count;
  };
  const isWaiting = async (): Promise<boolean> =>
    (
      await portal.db.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'
           and (query ilike '%for no key update%' or query like '%pg_advisory_xact_lock%')`,
      )
    ).length > 0;

  /** `change` is in progress when the session begins, and commits once the session waits for it. */
  const beginDuring = async (
    change: (manager: EntityManager) => Promise<unknown>,
    userId: string,
    proof: SignInProof,
  ): Promise<unknown> => {
    const [changed, isChanged] = gate();
    const [mayCommit, commit] = gate();
    const done = portal.db.transaction(async (manager) => {
      await change(manager);
      isChanged();
      await mayCommit;
      await sessions.endAll(userId, manager);
    });
    await changed;
    const begun = sessions.begin(userId, 'email', client, proof).then(
      () => 'begun',
      (error: { code?: string }) => error.code ?? error,
    );
    await until('the sign-in waits', isWaiting).finally(commit);
    await done;
    return begun;
  };

  test('is refused after a new password, and no session remains', async () => {
    const { userId } = await signUp(portal);
    const [{ passwordHash }] = await portal.db.query(
      'select password_hash as "passwordHash" from credentials where user_id = $1',
      [userId],
    );
    const change = async (manager: EntityManager) => {
      await holdAccount(manager, userId);
      await manager.query(`update credentials set password_hash = 'another' where user_id = $1`, [userId]);
    };
    expect(await beginDuring(change, userId, { passwordHash })).toBe('auth.credentialsInvalid');
    expect(await standing(userId)).toBe(0);
  });

  test('is refused after unlinking, and no session remains', async () => {
    const { userId } = await signUp(portal);
    const identityId = newId();
    await portal.db.query(
      `insert into linked_identities (id, user_id, provider, subject) values ($1, $2, 'google', $3)`,
      [identityId, userId, newId()],
    );
    const change = async (manager: EntityManager) => {
      await holdAccount(manager, userId);
      await manager.query('delete from linked_identities where id = $1', [identityId]);
    };
    expect(await beginDuring(change, userId, { identityId })).toBe('auth.methodNotFound');
    expect(await standing(userId)).toBe(0);
  });

  test('is refused if an Ethereum node verified its signature and the key of the wallet signs first', async () => {
    const { userId } = await signUp(portal);
    const [identityId, throughChain] = [newId(), privateKeyToAccount(generatePrivateKey()).address];
    await portal.db.query(
      `insert into linked_identities (id, user_id, provider, subject) values ($1, $2, 'wallet', $3)`,
      [identityId, userId, throughChain],
    );
    const note = async (manager: EntityManager) => {
      await holdIdentity(manager, 'wallet', throughChain);
      await manager.query('insert into key_proven_wallets (address) values ($1)', [throughChain]);
    };
    expect(await beginDuring(note, userId, { identityId, throughChain })).toBe('auth.signatureInvalid');
    expect(await standing(userId)).toBe(0);
  });

  test('is refused with a sign-in method of another account', async () => {
    const [mine, theirs] = [await signUp(portal), await signUp(portal)];
    const identityId = newId();
    await portal.db.query(
      `insert into linked_identities (id, user_id, provider, subject) values ($1, $2, 'google', $3)`,
      [identityId, theirs.userId, newId()],
    );
    const begun = sessions.begin(mine.userId, 'google', client, { identityId });
    await expect(begun).rejects.toMatchObject({ code: 'auth.methodNotFound' });
  });
});

describe('the sessions of an account', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  test('an ended one is deleted at a later sign-in, once none of its access tokens can be valid', async () => {
    const { userId } = await signUp(portal);
    const sessions = portal.app.get(SessionsService);
    const [{ password_hash: passwordHash }] = await portal.db.query(
      'select password_hash from credentials where user_id = $1',
      [userId],
    );
    const begin = () => sessions.begin(userId, 'email', client, { passwordHash });
    const stored = async (): Promise<string[]> => {
      const rows: { ago: string }[] = await portal.db.query(
        `select case when revoked_at is null then 'standing' when revoked_at > now() - interval '1 hour'
           then 'just ended' else 'ended' end as ago from refresh_tokens where user_id = $1 order by id`,
        [userId],
      );
      return rows.map(({ ago }) => ago);
    };
    await begin();
    await begin();
    await portal.db.transaction((manager) => sessions.endAll(userId, manager));
    await portal.db.query(
      `update refresh_tokens set revoked_at = now() - interval '61 minutes'
       where id in (select id from refresh_tokens where user_id = $1 order by id limit 2)`,
      [userId],
    );
    expect(await stored()).toEqual(['ended', 'ended', 'just ended']);
    await begin();
    expect(await stored()).toEqual(['just ended', 'standing']);
  });
});
