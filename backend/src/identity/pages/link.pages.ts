import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { createHash } from 'node:crypto';
import type { Notice, PageField } from '../../http/notice.page.js';
import type { PortalError } from '../../http/portal.error.js';
import type { LinkHolder } from '../mails/email.links.js';
import type { Confirmed } from '../email/email.service.js';
import { endedKeysText, newAccountText, reviewKeysText } from '../mails/email.mails.js';
import { linkedAccountText } from '../mails/linked.account.text.js';

export type Confirmation = LinkHolder & { madeAt: Date };

const confirmPath = '/api/v1/auth/email/confirm';
const passwordPath = '/api/v1/auth/email/password';
const restorePath = '/api/v1/auth/email/restore';

const toSignIn = { href: '/login', text: 'Sign in' };

export function refusalNotice(error: PortalError): Notice {
  if (error.code === 'auth.linkInvalid') {
    return {
      title: 'This link isn’t valid',
      paragraphs: [
        'It has expired, was already used or is incomplete.',
        'For a new password, choose “Forgot password?” on the sign-in page. To confirm your email, sign in and request a new link in Settings.',
      ],
      link: toSignIn,
    };
  }
  if (error.code === 'auth.linkOutdated') {
    return {
      title: 'Nothing was changed',
      paragraphs: [
        'The account no longer uses the email that this link was sent to, so the link does nothing.',
        'To use this email again, sign in and enter it in Settings.',
      ],
      link: toSignIn,
    };
  }
  return { title: 'We couldn’t complete your request', paragraphs: [`${error.message}.`], link: toSignIn };
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * An account's sign-in methods, described so that its owner recognises them and another reader of the mailbox learns no
 * more. Methods with the same description are counted, so that neither hides the other. `email` is the address the page
 * is about; a password may belong to another address.
 */
function methodsText(methods: readonly SignInMethod[], email: string): string {
  const byDescription = new Map<string, SignInMethod[]>();
  for (const method of methods) {
    const text = methodText(method, email);
    byDescription.set(text, [...(byDescription.get(text) ?? []), method]);
  }
  const texts = [...byDescription.values()].map((group) =>
    methodText(group[0] as SignInMethod, email, group.length),
  );
  return new Intl.ListFormat('en-GB').format(texts);
}

/** `count` is how many methods have this description; an account has at most one password. */
function methodText({ provider, label }: SignInMethod, email: string, count = 1): string {
  if (provider !== 'email') return linkedAccountText(provider, label, count);
  return label.toLowerCase() === email.toLowerCase() ? 'a password' : 'a password for another email address';
}

/** A hash of the sign-in methods that a page listed, compared with the current ones when its form is submitted. */
export function methodsHash(methods: readonly SignInMethod[], email: string): string {
  const texts = methods.map((method) => `${method.id} ${methodText(method, email)}`).sort();
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
}

const notMe = 'This wasn’t me';

export const confirmNotice = (
  { email, madeAt }: Confirmation,
  methods: readonly SignInMethod[],
  token: string,
  problem?: string,
): Notice => ({
  title: 'Confirm your email address',
  ...(problem === undefined ? {} : { problem: `${problem}.` }),
  paragraphs: [
    `Is the Orange ID account for ${email} yours? It was created on ${day.format(madeAt)}.`,
    methodsSentence(methods, email),
    'Not you? Choose “This wasn’t me”, and we’ll remove your email from that account.',
  ],
  form: {
    action: confirmPath,
    hidden: { token, methods: methodsHash(methods, email) },
    submit: 'Confirm email address',
    other: { name: 'answer', value: 'no', text: notMe },
  },
});

/** The account's sign-in methods, so that nobody confirms an account that somebody else can sign in to. */
function methodsSentence(methods: readonly SignInMethod[], email: string): string {
  const text = methodsText(methods, email);
  if (methods.length === 0) return 'It has no sign-in method. Confirm only if you created it.';
  if (methods.length > 1) return `Its sign-in methods are ${text}. Confirm only if all of them are yours.`;
  return text === 'a password'
    ? 'Its only sign-in method is a password. Confirm only if you set it.'
    : `Its only sign-in method is ${text}. Confirm only if it’s yours.`;
}

/** For a user who is signed in to an account of this address while the link is about another one. */
export const elsewhereNotice = ({ email, madeAt }: Confirmation, token: string): Notice => ({
  title: 'This link belongs to another account',
  paragraphs: [
    `You’re signed in to an Orange ID account that uses ${email}. This link confirms the same email for another account, created on ${day.format(madeAt)}.`,
    'If you didn’t create that account, choose “This wasn’t me”, then request a new link in Settings.',
    'If both accounts are yours and you want to use this email with the other one, sign out and open this link again.',
  ],
  form: { action: confirmPath, hidden: { token, answer: 'no' }, submit: notMe },
});

/** What the confirmation did. Names no other address of the account, which the reader of this mailbox may not know. */
export const confirmedNotice = ({ email, use }: Confirmed): Notice => ({
  title: 'Your email address is confirmed',
  paragraphs: { profile: confirmedForAll, untilReplaced: confirmedUntil, signIn: confirmedToSignIn }[use](
    email,
  ),
  link: { href: '/', text: 'Open Orange ID' },
});

const confirmedForAll = (email: string): string[] => [
  `${email} is now confirmed for your Orange ID account. You can close this page.`,
];
const confirmedUntil = (email: string): string[] => [
  `${email} is confirmed and stays the email of your Orange ID account for now.`,
  'You entered a new email in Settings. It takes over once you open the link that was sent to it.',
];
const confirmedToSignIn = (email: string): string[] => [
  `${email} is now confirmed as the email you sign in with.`,
  'Your profile has a different email, which stays as it is. If it isn’t confirmed yet, open the link that was sent to it.',
];

export const restoreNotice = (email: string, token: string): Notice => ({
  title: 'Keep this email?',
  paragraphs: [
    `This makes ${email} the email of your Orange ID account again, cancels the new one and signs the account out everywhere.`,
    'If you changed the email yourself, close this page.',
  ],
  form: { action: restorePath, hidden: { token }, submit: 'Keep this email and sign out everywhere' },
});

export const restoredNotice = (email: string): Notice => ({
  title: 'Your email was kept',
  paragraphs: [
    `${email} is the email of your Orange ID account, and all sessions have ended.`,
    'Sign in and remove any sign-in method you didn’t add. If you have a password, change it.',
  ],
  link: toSignIn,
});

export const rejectedNotice = (email: string): Notice => ({
  title: 'Your email was removed from that account',
  paragraphs: [
    `${email} no longer belongs to the account someone else created. To confirm it for your own account, request a new link in Settings. If you have no account, you can create one with it.`,
  ],
  link: { href: '/', text: 'Open Orange ID' },
});

/** A schema's message (`must …`) as a sentence about the field. */
const passwordProblem = (name: string, phrase: string): string =>
  name === 'passwordConfirm' ? 'The passwords don’t match.' : `The new password ${phrase}.`;

export const passwordNotice = (
  email: string,
  token: string,
  problems: PortalError['details'] = [],
): Notice => {
  const field = (name: string, label: string, hint?: string): PageField => {
    const problem = problems.find(({ path }) => path === name)?.message;
    return {
      name,
      label,
      type: 'password',
      autocomplete: 'new-password',
      ...(hint === undefined ? {} : { hint }),
      ...(problem === undefined ? {} : { problem: passwordProblem(name, problem) }),
    };
  };
  return {
    title: 'Choose a new password',
    paragraphs: [`This sets a new password for ${email} and signs you out everywhere.`],
    form: {
      action: passwordPath,
      hidden: { token },
      fields: [
        field(
          'password',
          'New password',
          `${limits.passwordMinCharacters} to ${limits.passwordMaxCharacters} characters.`,
        ),
        field('passwordConfirm', 'Confirm password'),
      ],
      submit: 'Set password',
    },
  };
};

export const newAccountNotice = (email: string): Notice => ({
  title: 'You have a new Orange ID account',
  paragraphs: [...newAccountText(email), 'To open the new account, sign in with your new password.'],
  link: toSignIn,
});

export const passwordSetNotice = (
  email: string,
  others: readonly SignInMethod[],
  { endedKeys, keptKeys }: { endedKeys: number; keptKeys: number },
): Notice => ({
  title: 'Your password was changed',
  paragraphs: [
    `All sessions for ${email} have ended. Sign in with your new password.`,
    ...(others.length > 0
      ? [
          `You can also sign in with ${methodsText(others, email)}. ${others.length === 1 ? 'If it isn’t yours, remove it' : 'Remove any that aren’t yours'} on your profile.`,
        ]
      : []),
    ...(endedKeys > 0 ? [endedKeysText(endedKeys)] : []),
    ...(keptKeys > 0
      ? [
          keptKeys === 1
            ? 'Your API key still works. If you didn’t create it, or others may know it, delete it in API Keys or update it in My Projects.'
            : `Your ${keptKeys} API keys still work. ${reviewKeysText}`,
        ]
      : []),
  ],
  link: toSignIn,
});
