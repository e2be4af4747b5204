import { expect, test } from '@jest/globals';
import { failureText, fieldText } from './failure.text';
import type { LoginFailureCode } from './login.failure';

const texts: Record<LoginFailureCode, [title: string, help?: string]> = {
  credentialsInvalid: ['The email or password is wrong.', 'Check both, or create an account.'],
  emailTaken: [
    'Another account already uses this email.',
    'Sign in to that account, or use a different email.',
  ],
  mailMissing: [
    'This portal can’t send email.',
    'Its operator has to set SMTP_URL first. You can still use other sign-in methods.',
  ],
  sessionEnded: ['Your session has ended.', 'Reload this page and sign in again.'],
  methodLinked: ['Your account already has this sign-in method.', 'Choose another one.'],
  methodsFull: ['You can’t add more sign-in methods.'],
  walletUsed: [
    'This wallet is already linked to another account.',
    'Choose another wallet, or sign in with this one.',
  ],
  passwordWrong: ['The password is wrong.', 'Try again, or confirm with another method.'],
  proofRequired: ['Confirm it’s you first.', 'You signed in more than 5 minutes ago.'],
  proofInvalid: [
    'This wallet isn’t linked to your account.',
    'Choose a wallet that is, or confirm with another method.',
  ],
  browserUnbound: [
    'This browser isn’t signed in to your account.',
    'Sign out, sign in again, then come back.',
  ],
  fieldsInvalid: ['Check the marked fields.'],
  rateLimited: ['Too many attempts.', 'Try again in a minute.'],
  unreachable: ['The identity service didn’t respond.', 'Check your connection, then try again.'],
  serviceRefused: ['The identity service rejected the request.'],
  answerUnreadable: ['The identity service sent an unexpected response.', 'Try again in a minute.'],
  requestExpired: ['The wallet request has expired.', 'Try again and sign within 5 minutes.'],
  walletRejected: [
    'The request was declined in your wallet.',
    'Nothing was signed. Try again and approve it, or choose another sign-in method.',
  ],
  walletBusy: [
    'Your wallet already has a request open.',
    'Open the wallet, approve or dismiss that request, then try again.',
  ],
  walletMissing: [
    'Your wallet is no longer available.',
    'Check that its extension is enabled, then reload this page.',
  ],
  walletFailed: ['Your wallet couldn’t complete the request.', 'Try again, or choose another wallet.'],
  pairingFailed: [
    'We couldn’t connect to wallet apps.',
    'Check your connection and try again, or choose another sign-in method.',
  ],
  pairingExpired: ['The code wasn’t scanned in time.', 'Try again to get a new one.'],
  unexpected: ['Something went wrong.', 'Reload this page and try again, or choose another method.'],
};

test.each(Object.entries(texts))(
  'the failure %s says what happened and what to do',
  (code, [title, help]) => {
    expect(failureText({ code: code as LoginFailureCode })).toEqual({ title, help });
  },
);

test('the failure of a wallet names the wallet', () => {
  const titleOf = (code: LoginFailureCode) => failureText({ code }, { walletName: 'fox Wallet' }).title;
  expect(titleOf('walletRejected')).toBe('The request was declined in fox Wallet.');
  expect(titleOf('walletBusy')).toBe('Fox Wallet already has a request open.');
});

test('for an added email that another account uses, the help suggests a different email', () => {
  expect(failureText({ code: 'emailTaken' }, { isLink: true }).help).toBe('Use a different email.');
});

test('a rate limit says how long to wait', () => {
  expect(failureText({ code: 'rateLimited', retryAfterSeconds: 30 }).help).toBe('Try again in 30 seconds.');
});

test('the service’s message is the help where it says more than the code', () => {
  for (const message of ['No', 'No.']) {
    for (const code of ['serviceRefused', 'methodsFull', 'fieldsInvalid'] as const)
      expect(failureText({ code, message }).help).toBe('No.');
  }
  expect(failureText({ code: 'walletFailed', message: 'No gas' }).help).toBe('No gas');
  expect(failureText({ code: 'fieldsInvalid', message: 'No', fields: {} }).help).toBeUndefined();
});

test.each([
  ['passwordWrong', 'Try again. Forgot it? Sign out and choose “Forgot password?” on the sign-in page.'],
  ['proofInvalid', 'Choose a wallet that is.'],
  ['walletRejected', 'Nothing was signed. Try again and approve it.'],
  ['pairingFailed', 'Check your connection and try again.'],
  ['unexpected', 'Reload this page and try again.'],
] as const)('the failure %s suggests no other method if the panel offers only one', (code, help) => {
  expect(failureText({ code }, { isOnlyMethod: true }).help).toBe(help);
});

test('the text for too many requested reset links refers to the inbox', () => {
  expect(failureText({ code: 'rateLimited', retryAfterSeconds: 2700 }, { isReset: true })).toEqual({
    title: 'Too many emails requested.',
    help: 'Check your inbox, or try again in 45 minutes.',
  });
  expect(failureText({ code: 'rateLimited' }, { isReset: true }).help).toBe(
    'Check your inbox, or try again in a minute.',
  );
});

test('a refused field is described in a sentence that starts with its label', () => {
  expect(fieldText('Password', 'is too common. Choose one that is harder to guess')).toBe(
    'Password is too common. Choose one that is harder to guess.',
  );
  expect(fieldText('Email', 'must be an email like name@example.com')).toBe(
    'Enter an email like name@example.com.',
  );
});
