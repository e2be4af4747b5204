import { EntityManager, EntitySubscriberInterface, EventSubscriber, QueryRunner } from 'typeorm';

const waiting = new WeakMap<QueryRunner, (() => void)[]>();

/**
 * Runs `act` once what the manager has written can be seen by others: after its transaction's commit, at once outside
 * of one, never after a rollback. For telling somebody who will look at the database.
 */
export function afterCommit(manager: EntityManager, act: () => void): void {
  const runner = manager.queryRunner;
  if (!runner?.isTransactionActive) return act();
  waiting.set(runner, [...(waiting.get(runner) ?? []), act]);
}

/** Hears of the commits that `afterCommit` waits for. */
@EventSubscriber()
export class AfterCommit implements EntitySubscriberInterface {
  afterTransactionCommit({ queryRunner }: { queryRunner: QueryRunner }): void {
    if (queryRunner.isTransactionActive) return;
    const acts = waiting.get(queryRunner) ?? [];
    waiting.delete(queryRunner);
    for (const act of acts) act();
  }

  afterTransactionRollback({ queryRunner }: { queryRunner: QueryRunner }): void {
    if (!queryRunner.isTransactionActive) waiting.delete(queryRunner);
  }
}
