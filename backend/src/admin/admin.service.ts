import { Injectable } from '@nestjs/common';
import { withAsciiDomain } from '@orange-id/contract/email.rule';
import { DataSource, type EntityManager, In } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { holdAccount } from '../auth/account.locks.js';
import { Administrators } from '../auth/administrators.js';
import { User } from '../auth/user.entity.js';
import { newId } from '../database/new.id.js';
import { AccountChanges } from '../identity/changes/account.changes.js';
import { EmailService } from '../identity/email/email.service.js';
import { EmailLinks } from '../identity/mails/email.links.js';
import { SessionsService } from '../identity/sessions/sessions.service.js';
import { ApiKeyFactory } from '../keys/api-key.factory.js';
import { KeyChanges } from '../keys/key.changes.js';
import { KeyRevocations } from '../keys/key.revocations.js';
import { tellInstances } from '../realtime/instance.signals.js';
import { AdminRefusal } from './admin.refusal.js';
import { type AccountName, AdminRepository, type FoundAccount } from './admin.repository.js';

/** Whom an action is for, and whether it changed anything. */
export interface Done {
  accountId: string;
  isChanged: boolean;
}

export type MailAgain = 'confirmation' | 'reset';

/** The limits per requester of an email count this name. */
const requester = '127.0.0.1';

/**
 * What administrators do for other accounts. Each action is one transaction: the change, the owner's 'Recent changes'
 * and the audit table. It is in force on every instance within 1 s. `actorId` is from `actorNamed`.
 */
@Injectable()
export class AdminService {
  constructor(
    private readonly administrators: Administrators,
    private readonly apiKeys: ApiKeyFactory,
    private readonly changes: AccountChanges,
    private readonly dataSource: DataSource,
    private readonly emails: EmailService,
    private readonly keyChanges: KeyChanges,
    private readonly links: EmailLinks,
    private readonly revocations: KeyRevocations,
    private readonly rows: AdminRepository,
    private readonly sessions: SessionsService,
  ) {}

  /** The account of an administrator, who is named by a confirmed email, a wallet or the account's id. */
  async actorNamed(text: string): Promise<string> {
    const ids = await this.rows.idsOf(nameIn(text));
    for (const user of await this.dataSource.manager.findBy(User, { id: In(ids) })) {
      if (!(await this.administrators.has(user))) continue;
      if (await this.rows.isDisabled(user.id)) {
        throw new AdminRefusal(`"${text}" is disabled; another administrator can enable that account`);
      }
      return user.id;
    }
    throw new AdminRefusal(
      `"${text}" is no administrator: name an account whose confirmed email or wallet is in ADMINISTRATORS`,
    );
  }

  /** The accounts of this name. Their owners see that an administrator looked. */
  async find(actorId: string, text: string): Promise<FoundAccount[]> {
    const ids = await this.idsOf(text);
    for (const accountId of ids) {
      await this.dataSource.transaction(async (manager) => {
        await holdAccount(manager, accountId);
        await this.changes.note(manager, accountId, { kind: 'viewedByAdministrator' });
        await this.rows.note(manager, { id: newId(), actorId, accountId, action: 'find', fields: {} });
      });
    }
    return this.rows.accounts(ids);
  }

  /** Ends the account's sessions, and makes its keys unknown and its projects no tenants, until it is enabled. */
  async disable(actorId: string, text: string, reason: string | null): Promise<Done> {
    const accountId = await this.idOf(text);
    if (accountId === actorId) {
      throw new AdminRefusal(`"${text}" is your own account; another administrator can disable it`);
    }
    return this.change(accountId, async (manager) => {
      if (!(await this.rows.disable(manager, accountId))) return false;
      const fields = {
        isDisabled: null,
        ...(reason === null ? {} : { reason: { before: null, after: reason } }),
      };
      await this.rows.note(manager, { id: newId(), actorId, accountId, action: 'disable', fields });
      await this.changes.note(manager, accountId, { kind: 'disabledByAdministrator' });
      await tellInstances(manager, { sessions: await this.sessions.endAll(accountId, manager) });
      await this.keyChanges.record(manager, await this.rows.keysOf(manager, accountId));
      return true;
    });
  }

  /** The account's owner can sign in again, and its keys and projects work as before. */
  async enable(actorId: string, text: string): Promise<Done> {
    const accountId = await this.idOf(text);
    return this.change(accountId, async (manager) => {
      if (!(await this.rows.enable(manager, accountId))) return false;
      const fields = { isDisabled: null };
      await this.rows.note(manager, { id: newId(), actorId, accountId, action: 'enable', fields });
      await this.changes.note(manager, accountId, { kind: 'enabledByAdministrator' });
      await this.keyChanges.record(manager, await this.rows.keysOf(manager, accountId));
      return true;
    });
  }

  /**
   * Revokes a key, which is named by its id or by its text. The current key of a project is replaced by a new one,
   * which its owner sees.
   */
  async revokeKey(actorId: string, text: string): Promise<Done & { keyId: string }> {
    const key = await this.rows.findKey(isUuid(text) ? text : null, this.apiKeys.hashesOf(text));
    // A key's text stays out of the terminal and of logs.
    const named = isUuid(text) ? `"${text}"` : 'This text';
    if (key === null) {
      throw new AdminRefusal(
        `${named} is no key of this portal; name one by its id (see find) or by its text`,
      );
    }
    const { id: keyId, name, userId: accountId } = key;
    const done = await this.change(accountId, async (manager) => {
      if (!(await this.revocations.endOne(manager, accountId, keyId))) return false;
      const fields = { isActive: null, name: { before: name, after: name } };
      await this.rows.note(manager, { id: newId(), actorId, accountId, action: 'revoke', keyId, fields });
      await this.changes.note(manager, accountId, { kind: 'keyRevokedByAdministrator', label: name });
      await tellInstances(manager, { keys: [accountId] });
      return true;
    });
    return { ...done, keyId };
  }

  /** Sets how many calls of the account's keys are answered a day: null for the portal's quota, 0 for no quota. */
  async setQuota(actorId: string, text: string, quota: number | null): Promise<Done> {
    const accountId = await this.idOf(text);
    return this.change(accountId, async (manager) => {
      const before = await this.rows.setQuota(manager, accountId, quota);
      if (before === quota) return false;
      const fields = { quota: { before: quotaText(before), after: quotaText(quota) } };
      await this.rows.note(manager, { id: newId(), actorId, accountId, action: 'quota', fields });
      const label = quotaText(quota);
      await this.changes.note(manager, accountId, { kind: 'quotaSetByAdministrator', label });
      // The keys that an instance has in memory carry the quota.
      await this.keyChanges.record(manager, await this.rows.keysOf(manager, accountId));
      return true;
    });
  }

  /** Sends the link that confirms each unconfirmed address of the account, or the one that resets its password. */
  async sendMail(actorId: string, text: string, mail: MailAgain): Promise<Done & { sentTo: string[] }> {
    const accountId = await this.idOf(text);
    let sentTo: string[] = [];
    const done = await this.change(accountId, async (manager) => {
      sentTo = await (mail === 'reset'
        ? this.sendReset(manager, accountId)
        : this.emails.sendConfirmations(manager, accountId, requester));
      for (const address of sentTo) {
        const fields = { [mail]: { before: null, after: address } };
        await this.rows.note(manager, { id: newId(), actorId, accountId, action: 'mail', fields });
        await this.changes.note(manager, accountId, { kind: 'mailSentByAdministrator', label: address });
      }
      return sentTo.length > 0;
    });
    return { ...done, sentTo };
  }

  private async sendReset(manager: EntityManager, userId: string): Promise<string[]> {
    const address = await this.rows.passwordAddress(manager, userId);
    if (address === null) return [];
    await this.links.sendReset(manager, { userId, ...address });
    return [address.email];
  }

  private async change(accountId: string, work: (manager: EntityManager) => Promise<boolean>): Promise<Done> {
    const isChanged = await this.dataSource.transaction(async (manager) => {
      await holdAccount(manager, accountId);
      return work(manager);
    });
    return { accountId, isChanged };
  }

  private async idOf(text: string): Promise<string> {
    const ids = await this.idsOf(text);
    if (ids.length > 1) {
      throw new AdminRefusal(
        `"${text}" names ${ids.length} accounts, because none needs to have confirmed it; give the id of one: ${ids.join(', ')}`,
      );
    }
    return ids[0] as string;
  }

  private async idsOf(text: string): Promise<string[]> {
    const ids = await this.rows.idsOf(nameIn(text));
    if (ids.length === 0) {
      throw new AdminRefusal(
        `"${text}" names no account; give an email, a wallet's address or the account's id as they are in Settings`,
      );
    }
    return ids;
  }
}

/** A quota in words, for its owner and for administrators. */
export const quotaText = (quota: number | null): string =>
  quota === null ? 'that of the portal' : quota === 0 ? 'none' : quota === 1 ? '1 call' : `${quota} calls`;

function nameIn(text: string): AccountName {
  if (isUuid(text)) return { id: text };
  if (/^0x[0-9a-f]{40}$/i.test(text)) return { wallet: text };
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return { email: withAsciiDomain(text) };
  throw new AdminRefusal(
    `"${text}" must be an email, a wallet's address (0x and 40 hexadecimal digits) or the id of an account`,
  );
}
