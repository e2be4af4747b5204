import type { AccountPreview, ProvenIdentifier, ProviderName } from '@orange-id/contract/identity.schema';
import { callbackUrlOf } from '../../config/environment.js';
import type { Environment } from '../../config/environment.js';
import { providerVariables } from '../../config/environment.js';
import type { PortalError } from '../../http/portal.error.js';
import type { Notice } from '../notice.page.js';

export const providerTitles: Record<ProviderName, string> = { google: 'Google', apple: 'Apple' };

/** Which of the two the person was about to do, and where they go back to. */
export interface Doing {
  provider: ProviderName;
  isLink: boolean;
  /** Set where somebody proves that the account they are signed in to is theirs. */
  isProof?: boolean;
  /** The origin of the portal the person came from. */
  portal: string;
}

const back = ({ isLink, portal }: Doing): NonNullable<Notice['link']> =>
  isLink
    ? { href: `${portal}/settings`, text: 'Back to settings' }
    : { href: `${portal}/login`, text: 'Back to sign-in' };

const deed = ({ provider, isLink }: Doing): string =>
  `${isLink ? 'Linking' : 'Sign-in with'} ${providerTitles[provider]}`;

const notConfigured = (doing: Doing): Notice => ({
  title: `${deed(doing)} is not available on this portal`,
  paragraphs: [
    doing.isLink
      ? 'The other sign-in methods work here: go back and choose e-mail or a wallet.'
      : 'Go back and choose e-mail or a wallet instead: both work here.',
    `Whoever runs this portal makes it available by setting ${listed(providerVariables[doing.provider])}.`,
  ],
  link: back(doing),
});

const cancelled = (doing: Doing): Notice => ({
  title: `${deed(doing)} was cancelled`,
  paragraphs: [
    doing.isLink ? 'Nothing was linked.' : 'Nobody was signed in.',
    doing.isLink
      ? 'Go back to try again or to choose another method.'
      : 'Go back to try again or to choose another way to sign in.',
  ],
  link: back(doing),
});

const providerFailed = (doing: Doing): Notice => ({
  title: `${deed(doing)} did not work`,
  paragraphs: [
    `${providerTitles[doing.provider]} could not be reached, or its answer could not be trusted, so ${
      doing.isLink ? 'nothing was linked' : 'nobody was signed in'
    }.`,
    'Try again in a minute. If it keeps failing, choose another method.',
  ],
  link: back(doing),
});

const flowInvalid = (doing: Doing): Notice => ({
  title: `${deed(doing)} cannot go on here`,
  paragraphs: [
    'It was not started in this browser, was finished already, or took longer than 30 minutes.',
    doing.isLink
      ? 'Nothing was linked. Go back and start again, in one browser that accepts cookies.'
      : 'Nobody was signed in. Go back and start again, in one browser that accepts cookies.',
  ],
  link: back(doing),
});

const otherAccount = (doing: Doing): Notice => ({
  title: 'Nothing was linked',
  paragraphs: [
    `This link is to add a ${providerTitles[doing.provider]} account to an Orange ID account that is not the one signed in with this browser.`,
    'If somebody sent you the link, close this page. Otherwise sign in first, and link it from your settings.',
  ],
  link: { href: `${doing.portal}/login`, text: 'Go to sign-in' },
});

const sessionEnded = (doing: Doing): Notice => ({
  title: 'You are signed out',
  paragraphs: [
    `The sign-in that asked to link ${providerTitles[doing.provider]} has ended, so nothing was linked. Sign in and try again.`,
  ],
  link: { href: `${doing.portal}/login`, text: 'Go to sign-in' },
});

/** Another portal leads here with the account that it shares with this one. */
const elsewhere = (doing: Doing, { PUBLIC_URL }: Pick<Environment, 'PUBLIC_URL'>): Notice => ({
  title: 'Nothing was linked',
  paragraphs: [
    `${new URL(PUBLIC_URL).host} keeps your account, and sign-in methods are added there only. Sign in there and add ${providerTitles[doing.provider]}.`,
  ],
  link: { href: `${PUBLIC_URL}/login?from=profile`, text: 'Go to your ways to sign in' },
});

/** `message` says what is in the way. */
const refused = (doing: Doing, message: string): Notice => ({
  title: doing.isLink ? `${providerTitles[doing.provider]} was not linked` : `${deed(doing)} did not work`,
  paragraphs: [
    `${message}.`,
    doing.isLink ? 'Go back and try another account, or another method.' : 'Go back and try again.',
  ],
  link: back(doing),
});

const linkInvalid = (doing: Doing, paragraphs: string[]): Notice => ({
  title: `This ${doing.isLink ? 'linking' : 'sign-in'} link is not valid`,
  paragraphs,
  link: back(doing),
});

/** Where the ways into an account are listed, added and removed. */
export const methodsAddress = (portal: string): string => `${portal}/login?from=profile`;

const proofRequired = ({ provider, portal }: Doing): Notice => ({
  title: 'Confirm it’s you first',
  paragraphs: [
    `It is more than 5 minutes since you signed in with this browser, so ${providerTitles[provider]} was not linked.`,
    'Go back, confirm that the account is yours, and choose it again.',
  ],
  link: { href: methodsAddress(portal), text: 'Back to your ways to sign in' },
});

/** `message` says what is in the way. */
const notProven = ({ provider, portal }: Doing, { code, message }: PortalError): Notice => ({
  title: `Confirming with ${providerTitles[provider]} ${code === 'auth.flowCancelled' ? 'was cancelled' : 'did not work'}`,
  paragraphs: [
    ...(code === 'auth.flowCancelled' ? [] : [`${message}.`]),
    'Nothing has changed, and you are still signed in. Go back and try again, or confirm in another way.',
  ],
  link: { href: methodsAddress(portal), text: 'Back to your ways to sign in' },
});

/** What a page says of a refusal: what happened, and what to do. Nothing of the request is on it. */
export function noticeOf(
  error: PortalError,
  doing: Doing,
  environment: Pick<Environment, 'PUBLIC_URL' | 'TENANT_ID'>,
): Notice {
  if (doing.isProof) return notProven(doing, error);
  const { code, message } = error;
  switch (code) {
    case 'auth.proofRequired':
      return proofRequired(doing);
    case 'auth.redirectInvalid':
      return linkInvalid(doing, [
        'It asks to lead to an address that is not registered with this portal, so it leads nowhere.',
        `The registered address is ${callbackUrlOf(environment)}.`,
      ]);
    case 'auth.tenantUnknown':
      return linkInvalid(doing, [
        'The page it comes from is set up for another tenant than the one of this portal.',
        `The tenant of this portal is ${environment.TENANT_ID}.`,
      ]);
    case 'auth.providerNotConfigured':
      return notConfigured(doing);
    case 'auth.flowCancelled':
      return cancelled(doing);
    case 'auth.flowInvalid':
      return flowInvalid(doing);
    case 'auth.providerFailed':
      return providerFailed(doing);
    case 'auth.linkOtherAccount':
      return otherAccount(doing);
    case 'auth.tokenForeign':
      return elsewhere(doing, environment);
    case 'auth.tokenInvalid':
      return sessionEnded(doing);
    default:
      return refused(doing, message);
  }
}

export const confirmLink = (
  doing: Doing,
  { account, action, flow, csrf }: { account: AccountPreview; action: string; flow: string; csrf: string },
): Notice => {
  const title = providerTitles[doing.provider];
  return {
    title: `Link ${title} to your account?`,
    paragraphs: [
      accountSentence(account),
      `You choose your ${title} account next. From then on, whoever signs in with that ${title} account gets into this Orange ID account.`,
      'If you did not ask for this, close this page: nothing is linked until you continue.',
    ],
    form: { action, hidden: { flow, csrf }, submit: `Continue with ${title}` },
    link: { href: `${doing.portal}/settings`, text: 'Cancel' },
  };
};

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Whose account the provider is added to, by what was proven of it and nothing else. */
function accountSentence({ identifiers, createdAt }: AccountPreview): string {
  if (identifiers.length > 0) {
    const ways = new Intl.ListFormat('en-GB').format(identifiers.map(identifierWords));
    return `You are signed in to the Orange ID account of ${ways}.`;
  }
  const made = createdAt === null ? '' : `, made on ${day.format(new Date(createdAt))}`;
  return `You are signed in to an Orange ID account without a confirmed e-mail address${made}.`;
}

function identifierWords({ provider, label }: ProvenIdentifier): string {
  if (provider === 'email') return label ?? 'an e-mail address';
  if (provider === 'wallet') return `the wallet ${label}`;
  const title = providerTitles[provider];
  return label === null
    ? `${provider === 'apple' ? 'an' : 'a'} ${title} account`
    : `the ${title} account ${label}`;
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
