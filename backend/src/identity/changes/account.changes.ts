import { Injectable } from '@nestjs/common';
import type { AccountChange, AccountChangeKind, SignInMethod } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { DataSource, EntityManager } from 'typeorm';
import { newId } from '../../database/new.id.js';
import { deviceOf, keptUserAgent } from '../../auth/device.rule.js';
import { AccountChangeRow } from '../entities/account-change.entity.js';

/**
 * How many changes are kept of each kind that needs no fresh proof or changes nothing, so that repeating it cannot push
 * out the others.
 */
const mostOf: Partial<Record<AccountChangeKind, number>> = {
  signedOutEverywhere: 1,
  viewedByAdministrator: 1,
  kept: 1,
  projectRenamed: limits.renamingsKept,
};

interface Change {
  kind: AccountChangeKind;
  method?: { provider: SignInMethod['provider']; label: string };
  /** What else was changed. */
  label?: string;
  /** The browser of the request that made the change, if any. */
  userAgent?: string | undefined;
}

/**
 * The changes to the sign-in methods of each account and to the names of its projects, so that its owner can see them
 * even if no email reaches them. An account keeps its last 100 changes from the last 90 days, and of each kind that
 * needs no fresh proof only the last few.
 */
@Injectable()
export class AccountChanges {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a change in the transaction that makes it. */
  async note(
    manager: EntityManager,
    userId: string,
    { kind, method, label, userAgent }: Change,
  ): Promise<void> {
    await manager.query(
      `delete from account_changes where user_id = $1 and (
         at <= now() - make_interval(days => ${limits.accountChangesKeptDays})
         or id in (select id from account_changes where user_id = $1
                   order by at desc, id desc offset ${limits.accountChangesPerUser - 1})
         or id in (select id from account_changes where user_id = $1 and kind = $2
                   order by at desc, id desc offset $3))`,
      [userId, kind, (mostOf[kind] ?? limits.accountChangesPerUser) - 1],
    );
    await manager.insert(AccountChangeRow, {
      id: newId(),
      userId,
      kind,
      provider: method?.provider ?? null,
      label: method?.label ?? label ?? null,
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
