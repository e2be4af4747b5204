import { Injectable } from '@nestjs/common';
import type { AccountChange, AccountChangeKind, SignInMethod } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { DataSource, EntityManager } from 'typeorm';
import { newId } from '../../database/new.id.js';
import { deviceOf, keptUserAgent } from '../../auth/device.rule.js';
import { AccountChangeRow } from '../entities/account-change.entity.js';

const needsNoProof: ReadonlySet<AccountChangeKind> = new Set(['signedOutEverywhere', 'kept']);

interface Change {
  kind: AccountChangeKind;
  method?: { provider: SignInMethod['provider']; label: string };
  /** The browser of the request that made the change, if any. */
  userAgent?: string | undefined;
}

/**
 * The changes to the sign-in methods of each account, so that its owner can see them even if no email reaches them. A
 * kind of change that needs no fresh proof is stored once, with its latest time, so that repeating it cannot push out
 * the others. An account keeps its last 100 changes from the last 90 days.
 */
@Injectable()
export class AccountChanges {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a change in the transaction that makes it. */
  async note(manager: EntityManager, userId: string, { kind, method, userAgent }: Change): Promise<void> {
    await manager.query(
      `delete from account_changes where user_id = $1 and (
         ($2 and kind = $3) or at <= now() - make_interval(days => ${limits.accountChangesKeptDays})
         or id in (select id from account_changes where user_id = $1
                   order by at desc, id desc offset ${limits.accountChangesPerUser - 1}))`,
      [userId, needsNoProof.has(kind), kind],
    );
    await manager.insert(AccountChangeRow, {
      id: newId(),
      userId,
      kind,
      provider: method?.provider ?? null,
      label: method?.label ?? null,
      userAgent: keptUserAgent(userAgent),
    });
  }

  /** The changes of the last 90 days, newest first. */
  async list(userId: string): Promise<AccountChange[]> {
    const rows = await this.dataSource
      .createQueryBuilder(AccountChangeRow, 'change')
      .where('change.userId = :userId', { userId })
      .andWhere(`change.at > now() - make_interval(days => ${limits.accountChangesKeptDays})`)
      .orderBy('change.at', 'DESC')
      .addOrderBy('change.id', 'DESC')
      .limit(limits.accountChangesPerUser)
      .getMany();
    return rows.map(({ id, kind, provider, label, userAgent, at }) => ({
      id,
      kind,
      provider,
      label,
      device: deviceOf(userAgent),
      at: at.toISOString(),
    }));
  }
}
