import { EntityManager, EntitySubscriberInterface, EventSubscriber, QueryRunner } from 'typeorm';

type End = 'commit' | 'rollback';
const waiting = new WeakMap<QueryRunner, { end: End; act: () => void }[]>();

/**
 * Runs `act` once others can see what the manager has written: after the commit of its transaction, at once outside a
 * transaction, never after a rollback. Use it to notify readers of the database.
 */
export function afterCommit(manager: EntityManager, act: () => void): void {
  if (!waitFor('commit', manager, act)) act();
}

/** Runs `act` if the transaction of this manager rolls back, for example to undo a count in memory. */
export function afterRollback(manager: EntityManager, act: () => void): void {
  waitFor('rollback', manager, act);
}

/** Listens for the ends of transactions that `afterCommit` and `afterRollback` wait for. */
@EventSubscriber()
export class AfterCommit implements EntitySubscriberInterface {
  afterTransactionCommit({ queryRunner }: { queryRunner: QueryRunner }): void {
    onEnd('commit', queryRunner);
  }

  afterTransactionRollback({ queryRunner }: { queryRunner: QueryRunner }): void {
    onEnd('rollback', queryRunner);
  }
}

/** False outside a transaction. */
function waitFor(end: End, { queryRunner }: EntityManager, act: () => void): boolean {
  if (!queryRunner?.isTransactionActive) return false;
  waiting.set(queryRunner, [...(waiting.get(queryRunner) ?? []), { end, act }]);
  return true;
}

function onEnd(end: End, queryRunner: QueryRunner): void {
  // Only a savepoint ended.
  if (queryRunner.isTransactionActive) return;
  const acts = waiting.get(queryRunner) ?? [];
  waiting.delete(queryRunner);
  for (const each of acts) if (each.end === end) each.act();
}
