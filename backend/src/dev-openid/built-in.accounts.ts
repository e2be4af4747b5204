import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { createHash } from 'node:crypto';
import { setLru } from '../http/lru.map.js';

const accountsMax = 50;

export interface BuiltInAccount {
  provider: ProviderName;
  subject: string;
  email: string;
  name: string | null;
  isEmailVerified: boolean;
}

/** The accounts used at the built-in provider since it started; if there are too many, the oldest are dropped. */
export class BuiltInAccounts {
  private readonly bySubject = new Map<string, BuiltInAccount>();

  /**
   * Stores the account of an email address. Its subject depends only on that address and the provider, so it stays the
   * same after a restart.
   */
  put(account: Omit<BuiltInAccount, 'subject'>): BuiltInAccount {
    const digest = createHash('sha256').update(`${account.provider}:${account.email.toLowerCase()}`);
    const subject = `built-in-${digest.digest('base64url').slice(0, 24)}`;
    const whole = { ...account, subject };
    setLru(this.bySubject, subject, whole, accountsMax);
    return whole;
  }

  get(subject: string): BuiltInAccount | undefined {
    return this.bySubject.get(subject);
  }

  /** Most recently used first. */
  of(provider: ProviderName): BuiltInAccount[] {
    return [...this.bySubject.values()].filter((account) => account.provider === provider).reverse();
  }
}
