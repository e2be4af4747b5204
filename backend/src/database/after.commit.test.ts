import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { createTestDatabase } from '../testing/test.app.js';
import { AfterCommit, afterCommit, afterRollback } from './after.commit.js';

describe('callbacks for the end of a transaction', () => {
  let db: DataSource;
  let drop: () => Promise<void>;
  let runner: QueryRunner;
  beforeAll(async () => {
    const database = await createTestDatabase({ empty: true });
    drop = database.drop;
    const { host, port, user, database: name } = database.address;
    db = new DataSource({
      type: 'postgres',
      host,
      port,
      username: user,
      database: name,
      subscribers: [AfterCommit],
    });
    await db.initialize();
    runner = db.createQueryRunner();
  });
  afterAll(async () => {
    await runner.release();
    await db.destroy();
    await drop();
  });

  let done: string[] = [];
  const note = (manager: EntityManager, name: string) => {
    afterCommit(manager, () => done.push(`${name} committed`));
    afterRollback(manager, () => done.push(`${name} rolled back`));
  };
  /** The callbacks that have run by the end of the transaction. All transactions use the same connection. */
  const endOf = async (work: (manager: EntityManager) => Promise<void>): Promise<string[]> => {
    done = [];
    await runner.manager.transaction(work).catch((error: Error) => expect(error.message).toBe('given up'));
    return done;
  };

  test('run once, at its end: those for a commit or those for a rollback', async () => {
    const committed = await endOf(async (manager) => {
      note(manager, 'first');
      note(manager, 'second');
      expect(done).toEqual([]);
    });
    expect(committed).toEqual(['first committed', 'second committed']);
    const rolledBack = await endOf(async (manager) => {
      note(manager, 'third');
      throw new Error('given up');
    });
    expect(rolledBack).toEqual(['third rolled back']);
    expect(await endOf(async (manager) => note(manager, 'fourth'))).toEqual(['fourth committed']);
  });

  test('do not run at the end of a savepoint', async () => {
    const ran = await endOf(async (manager) => {
      await manager.transaction(async (inner) => note(inner, 'inner'));
      expect(done).toEqual([]);
    });
    expect(ran).toEqual(['inner committed']);
  });

  test('outside a transaction, commit callbacks run at once and rollback callbacks never run', () => {
    done = [];
    note(db.manager, 'lone');
    expect(done).toEqual(['lone committed']);
  });
});
