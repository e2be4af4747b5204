import { EntityManager, EntitySubscriberInterface, EventSubscriber, QueryRunner } from 'typeorm';

const waiting = new WeakMap<QueryRunner, (() => void)[]>();
const undoing = new WeakMap<QueryRunner, (() => void)[]>();

/**
 * Runs `act` once others can see what the manager has written: after the commit of its transaction, at once outside a
 * transaction, never after a rollback. Use it to notify readers of the database.
 */
export function afterCommit(manager: EntityManager, act: () => void): void {
  const runner = manager.queryRunner;
  if (!runner?.isTransactionActive) return act();
  waiting.set(runner, [...(waiting.get(runner) ?? []), act]);
}

/** Runs `act` if the transaction of this manager rolls back, for example to undo a count in memory. */
export function afterRollback(manager: EntityManager, act: () => void): void {
  const runner = manager.queryRunner;
  if (runner?.isTransactionActive) undoing.set(runner, [...(undoing.get(runner) ?? []), act]);
}

/** Listens for the ends of transactions that `afterCommit` and `afterRollback` wait for. */
@EventSubscriber()
export class AfterCommit implements EntitySubscriberInterface {
  afterTransactionCommit({ queryRunner }: { queryRunner: QueryRunner }): void {
    if (queryRunner.isTransactionActive) return;
    const acts = waiting.get(queryRunner) ?? [];
    waiting.delete(queryRunner);
    undoing.delete(queryRunner);
    for (const act of acts) act();
  }

  afterTransactionRollback({ queryRunner }: { queryRunner: QueryRunner }): void {
    if (queryRunner.isTransactionActive) return;
    const acts = undoing.get(queryRunner) ?? [];
    waiting.delete(queryRunner);
    undoing.delete(queryRunner);
    for (const act of acts) act();
  }
}
