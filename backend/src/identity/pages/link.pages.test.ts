import { expect, test } from '@jest/globals';
import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { PortalError } from '../../http/portal.error.js';
import { noticeLines } from '../../testing/notice.lines.js';
import {
  confirmedNotice,
  confirmNotice,
  rejectedNotice,
  elsewhereNotice,
  newAccountNotice,
  passwordNotice,
  passwordSetNotice,
  refusalNotice,
  restoredNotice,
  restoreNotice,
} from './link.pages.js';

const email = 'ada@example.com';
const confirmation = { userId: 'user-1', email, madeAt: new Date('2026-03-04T12:00:00.000Z') };
const method = (provider: SignInMethod['provider'], label: string): SignInMethod => ({
  id: `${provider} ${label}`,
  provider,
  label,
  isVerified: true,
  linkedAt: '2026-03-04T12:00:00.000Z',
});
const password = method('email', email);
const wallet = method('wallet', '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e');
const several = [password, wallet, method('google', 'one@example.org'), method('google', 'two@example.org')];
const noKeys = { endedKeys: 0, keptKeys: 0 };
const problems = [
  { path: 'password', message: 'must have at least 8 characters' },
  { path: 'passwordConfirm', message: 'must be the same' },
];

test.each([
  ['the question without a sign-in method', confirmNotice(confirmation, [], 'token')],
  ['the question with a password', confirmNotice(confirmation, [password], 'token')],
  [
    'the question with a password of another address',
    confirmNotice(confirmation, [method('email', 'eve@example.com')], 'token'),
  ],
  ['the question with a wallet', confirmNotice(confirmation, [wallet], 'token')],
  ['the question with several methods', confirmNotice(confirmation, several, 'token', 'They have changed')],
  ['a link of another account', elsewhereNotice(confirmation, 'token')],
  ['a confirmed email', confirmedNotice({ email, use: 'profile' })],
  ['a confirmed email that a new one replaces later', confirmedNotice({ email, use: 'untilReplaced' })],
  ['a confirmed email to sign in with', confirmedNotice({ email, use: 'signIn' })],
  ['a disowned email', rejectedNotice(email)],
  ['the form for a new password', passwordNotice(email, 'token')],
  ['the form with its problems', passwordNotice(email, 'token', problems)],
  ['a new account', newAccountNotice(email)],
  ['a new password', passwordSetNotice(email, [], noKeys)],
  ['a new password beside a wallet', passwordSetNotice(email, [wallet], { endedKeys: 1, keptKeys: 1 })],
  ['a new password beside more', passwordSetNotice(email, several.slice(1), { endedKeys: 2, keptKeys: 3 })],
  ['the question whether to keep an email', restoreNotice(email, 'token')],
  ['a kept email', restoredNotice(email)],
  ['a link to an email that the account lost', refusalNotice(new PortalError('auth.linkOutdated'))],
  ['an invalid link', refusalNotice(new PortalError('auth.linkInvalid'))],
  ['another error', refusalNotice(new PortalError('server.busy'))],
])('the page for %s has the content of its snapshot', (_, notice) => {
  expect(noticeLines(notice).join('\n')).toMatchSnapshot();
});
