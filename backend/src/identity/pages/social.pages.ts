import type { ErrorCode } from '@orange-id/contract/error.codes';
import type { AccountPreview, ProvenIdentifier } from '@orange-id/contract/identity.schema';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { limits } from '@orange-id/contract/limits';
import { providerTitles } from '@orange-id/contract/sign-in.methods';
import { waitInWords } from '@orange-id/contract/wait.text';
import { callbackUrlOf } from '../../config/environment.js';
import type { Environment } from '../../config/environment.js';
import { providerVariables } from '../../config/environment.js';
import type { PortalError } from '../../http/portal.error.js';
import { linkedAccountsAddress } from '../mails/linked.accounts.address.js';
import type { Notice } from '../../http/notice.page.js';

/** What the user was about to do, and where they go back to. */
export interface Attempt {
  provider: ProviderName;
  isLink: boolean;
  /** Set while a user confirms that they own the account they are signed in to. */
  isProof?: boolean;
  isForApp?: boolean;
  /** The id of the app's sign-in that this one is for, once it has begun. */
  app?: string;
  /** The origin of the portal the user came from. */
  portal: string;
}

const back = ({ isLink, portal, app }: Attempt): NonNullable<Notice['link']> =>
  isLink
    ? { href: linkedAccountsAddress(portal), text: 'Back to your sign-in methods' }
    : { href: `${portal}/login${app === undefined ? '' : `?app=${app}`}`, text: 'Back to sign-in' };

const attemptTitle = ({ provider, isLink }: Attempt): string =>
  `${isLink ? 'Connecting' : 'Sign-in with'} ${providerTitles[provider]}`;

const notConfigured = (attempt: Attempt): Notice => ({
  title: `${attemptTitle(attempt)} isn’t available on this portal`,
  paragraphs: [
    'Go back and choose another sign-in method.',
    `Do you run this portal? Set ${listed(providerVariables[attempt.provider])} to enable it.`,
  ],
  link: back(attempt),
});

const cancelled = (attempt: Attempt): Notice => ({
  title: `${attemptTitle(attempt)} was cancelled`,
  paragraphs: [
    attempt.isLink ? 'Nothing was connected.' : 'You’re not signed in.',
    'Go back to try again or choose another method.',
  ],
  link: back(attempt),
});

const providerFailed = (attempt: Attempt): Notice => ({
  title: `${attemptTitle(attempt)} didn’t work`,
  paragraphs: [
    `We couldn’t reach ${providerTitles[attempt.provider]} or verify its response.`,
    'Try again in a minute, or choose another method.',
  ],
  link: back(attempt),
});

const flowInvalid = (attempt: Attempt): Notice => ({
  title: `${attemptTitle(attempt)} can’t continue`,
  paragraphs: [
    'It started in another browser, was already finished, or took longer than 30 minutes.',
    'Start again in a single browser with cookies enabled.',
  ],
  link: back(attempt),
});

const otherAccount = (attempt: Attempt): Notice => ({
  title: 'Nothing was connected',
  paragraphs: [
    `This link connects ${providerTitles[attempt.provider]} to an Orange ID account you’re not signed in to.`,
    `Did someone send it to you? Close this page. Otherwise, sign in and connect ${providerTitles[attempt.provider]} on your profile.`,
  ],
  link: { href: `${attempt.portal}/login`, text: 'Sign in' },
});

const sessionEnded = (attempt: Attempt): Notice => ({
  title: 'You’re signed out',
  paragraphs: [
    `Your session ended before ${providerTitles[attempt.provider]} was connected. Sign in and try again.`,
  ],
  link: { href: `${attempt.portal}/login`, text: 'Sign in' },
});

/** For a user whose link came from another portal that shares its accounts with this one. */
const elsewhere = (attempt: Attempt, { PUBLIC_URL }: Pick<Environment, 'PUBLIC_URL'>): Notice => ({
  title: 'Nothing was connected',
  paragraphs: [
    `Your account is managed at ${new URL(PUBLIC_URL).host}. Sign in there to connect ${providerTitles[attempt.provider]}.`,
  ],
  link: { href: linkedAccountsAddress(PUBLIC_URL), text: 'Go to your sign-in methods' },
});

/** What to do, if the error message does not say it. */
const nextSteps: Partial<Record<ErrorCode, string>> = {
  'auth.socialUsed': 'Go back and choose another account or method.',
  'auth.methodLinked': 'Go back and choose another account or method.',
  'auth.providerUnknown': 'Go back and choose another method.',
  'request.invalid': 'Go back and try again.',
  'server.failed': 'Go back and try again in a minute.',
};

/** `message` says what prevents it. */
function refused(attempt: Attempt, { code, message }: PortalError): Notice {
  const next = nextSteps[code];
  return {
    title: attempt.isLink
      ? `${providerTitles[attempt.provider]} wasn’t connected`
      : `${attemptTitle(attempt)} didn’t work`,
    paragraphs: [`${message}.`, ...(next ? [next] : [])],
    link: back(attempt),
  };
}

const linkInvalid = (attempt: Attempt, paragraphs: string[]): Notice => ({
  title: attempt.isLink ? 'This link isn’t valid' : 'This sign-in link isn’t valid',
  paragraphs,
  link: back(attempt),
});

const proofRequired = ({ provider, portal }: Attempt): Notice => ({
  title: 'Confirm it’s you first',
  paragraphs: [
    `You haven’t confirmed it’s you in this browser in the last ${waitInWords(limits.freshProofSeconds)}, so ${providerTitles[provider]} wasn’t connected.`,
    'Go back, confirm it’s you and try again.',
  ],
  link: { href: linkedAccountsAddress(portal), text: 'Back to your sign-in methods' },
});

/** What follows the error message; the account may have no other method to confirm with. */
const afterProof: Partial<Record<ErrorCode, string[]>> = {
  'auth.providerFailed': ['You’re still signed in.'],
  'auth.browserUnbound': [],
};

/** `message` says what prevents it. */
const notProven = ({ provider, portal }: Attempt, { code, message }: PortalError): Notice => ({
  title: `Confirming with ${providerTitles[provider]} ${code === 'auth.flowCancelled' ? 'was cancelled' : 'didn’t work'}`,
  paragraphs: [
    ...(code === 'auth.flowCancelled'
      ? ['You’re still signed in. Go back to try again.']
      : [
          `${message}.`,
          ...(afterProof[code] ?? ['You’re still signed in. Go back to your sign-in methods to try again.']),
        ]),
  ],
  link: { href: linkedAccountsAddress(portal), text: 'Back to your sign-in methods' },
});

/** The content of an error page: what happened, and what to do. Shows nothing of the request. */
export function noticeOf(
  error: PortalError,
  attempt: Attempt,
  environment: Pick<Environment, 'PUBLIC_URL' | 'TENANT_ID'>,
): Notice {
  if (attempt.isProof) return notProven(attempt, error);
  switch (error.code) {
    case 'auth.proofRequired':
      return proofRequired(attempt);
    case 'auth.redirectInvalid':
      return linkInvalid(attempt, [
        'Its callback URL isn’t registered with this portal.',
        `The registered callback URL is ${callbackUrlOf(environment)}.`,
      ]);
    case 'auth.tenantUnknown':
      return linkInvalid(attempt, [
        'It was created for another tenant.',
        `This portal’s tenant is ${environment.TENANT_ID}.`,
      ]);
    case 'auth.providerNotConfigured':
      return notConfigured(attempt);
    case 'auth.flowCancelled':
      return cancelled(attempt);
    case 'auth.flowInvalid':
      return flowInvalid(attempt);
    case 'auth.providerFailed':
      return providerFailed(attempt);
    case 'auth.linkOtherAccount':
      return otherAccount(attempt);
    case 'auth.tokenForeign':
      return elsewhere(attempt, environment);
    case 'auth.tokenInvalid':
      return sessionEnded(attempt);
    default:
      return refused(attempt, error);
  }
}

export const confirmLink = (
  attempt: Attempt,
  { account, action, flow, csrf }: { account: AccountPreview; action: string; flow: string; csrf: string },
): Notice => {
  const title = providerTitles[attempt.provider];
  return {
    title: `Connect ${title} to your account?`,
    paragraphs: [
      accountSentence(account),
      ...(account.identifiers.length > 0 ? [] : [unnamed]),
      `Next, you choose a ${title} account. Anyone who can sign in to it can then sign in to this Orange ID account.`,
      'Didn’t ask for this? Close this page. Nothing is connected until you continue.',
    ],
    form: { action, hidden: { flow, csrf }, submit: `Continue with ${title}` },
    link: { href: linkedAccountsAddress(attempt.portal), text: 'Cancel' },
  };
};

/**
 * An unconfirmed email address, of the account or its profile, may be the reader's although the account is not: its
 * owner can enter any address. Signing in shows whose account it is.
 */
const unnamed =
  'We don’t show its email because it isn’t confirmed. Not sure this account is yours? Choose Cancel, sign out and sign in again.';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The account that the provider is added to, described only by what was confirmed of it. */
export function accountSentence({ identifiers, createdAt }: AccountPreview): string {
  if (identifiers.length > 0) {
    const ways = new Intl.ListFormat('en-GB').format(identifiers.map(identifierText));
    return `You’re signed in to the Orange ID account linked to ${ways}.`;
  }
  const made = createdAt === null ? '' : `, created on ${day.format(new Date(createdAt))}`;
  return `You’re signed in to an Orange ID account without a confirmed email address or wallet${made}.`;
}

function identifierText({ provider, label }: ProvenIdentifier): string {
  if (provider === 'email') return label ?? 'an email address';
  if (provider === 'wallet') return `the wallet ${label}`;
  const title = providerTitles[provider];
  return label === null
    ? `${provider === 'apple' ? 'an' : 'a'} ${title} account`
    : `the ${title} account ${label}`;
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
