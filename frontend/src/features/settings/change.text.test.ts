import { expect, test } from '@jest/globals';
import type { AccountChange } from '@orange-id/contract/identity.schema';
import { changeSentence } from './change.text';

const change = (what: Partial<AccountChange>): AccountChange => ({
  id: '1',
  kind: 'passwordChanged',
  provider: null,
  label: null,
  device: null,
  at: '2026-01-01T00:00:00.000Z',
  ...what,
});

test.each<[Partial<AccountChange>, string]>([
  [
    { kind: 'methodAdded', provider: 'wallet', label: '0x1234567890123456789012345678901234567890' },
    'Wallet 0x12345...34567890 was added',
  ],
  [
    { kind: 'methodRemoved', provider: 'google', label: 'ann@example.com' },
    'Google account ann@example.com was removed',
  ],
  [{ kind: 'methodAdded', provider: 'apple', label: 'Apple account' }, 'Apple account was added'],
  [
    { kind: 'methodLost', provider: 'email', label: 'ann@example.com' },
    'Email ann@example.com was removed because someone else confirmed that email',
  ],
  [{ kind: 'passwordChanged' }, 'Your password was changed'],
  [{ kind: 'passwordReset' }, 'Your password was reset with a link sent to your email'],
  [{ kind: 'deleted' }, 'The account was deleted'],
  [{ kind: 'kept' }, 'The account was kept'],
  [{ kind: 'signedOutEverywhere' }, 'All sessions were signed out'],
  [{ kind: 'methodAdded' }, 'A sign-in method was added'],
  [{ kind: 'viewedByAdministrator' }, 'An administrator looked up this account'],
  [{ kind: 'disabledByAdministrator' }, 'An administrator disabled this account'],
  [{ kind: 'enabledByAdministrator' }, 'An administrator enabled this account again'],
  [{ kind: 'keyRevokedByAdministrator', label: 'Server' }, 'An administrator revoked an API key: Server'],
  [
    { kind: 'quotaSetByAdministrator', label: '500 calls' },
    'An administrator set your daily quota: 500 calls',
  ],
  [
    { kind: 'mailSentByAdministrator', label: 'ann@example.com' },
    'An administrator sent an email again to ann@example.com',
  ],
])('the change %j reads: %s', (what, sentence) => {
  expect(changeSentence(change(what))).toBe(sentence);
});
