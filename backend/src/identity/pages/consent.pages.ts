import { consentText } from '@orange-id/contract/consent.text';
import type { ErrorCode } from '@orange-id/contract/error.codes';
import type { AccountPreview } from '@orange-id/contract/identity.schema';
import { claimNames, tenantClaims, type TenantClaim } from '@orange-id/contract/tenant.claims';
import { createHash } from 'node:crypto';
import { escapeHtml } from '../../http/escape.html.js';
import type { User } from '../../auth/user.entity.js';
import type { Notice } from '../../http/notice.page.js';
import { plainPage } from '../../http/notice.page.js';
import type { PortalError } from '../../http/portal.error.js';
import type { ConsentQuestion, FlowEnd, ShownApp } from '../apps/app.flows.js';
import { valuesOf } from '../tenants/app.user.js';
import { accountSentence } from './social.pages.js';

const hostOf = (origin: string): string => new URL(origin).host;

/** Name and origin of an app, equally visible: anybody can give a project any name. */
const factsOf = (
  { name, origin, isLocal }: ShownApp,
  previousName: string | null = null,
): NonNullable<Notice['facts']> => [
  { term: consentText.app, value: name },
  ...(previousName === null ? [] : [{ term: 'Renamed from', value: previousName }]),
  isLocal
    ? { term: 'Where', value: `An app on this computer (${hostOf(origin)})` }
    : { term: consentText.website, value: origin },
];

/**
 * What is checked before the person has ever chosen: name and picture, and the identifier they have just signed in with.
 * Another identifier could connect them to what they do elsewhere.
 */
const preselected = (provider: string): TenantClaim[] =>
  provider === 'wallet' ? ['name', 'picture', 'wallet'] : ['name', 'picture', 'email'];

export function consentNotice(
  { flow, app, logo, user, provider, claims, granted, isNewOrigin, previousName }: ConsentQuestion,
  account: AccountPreview,
  form: { action: string; flow: string },
): Notice {
  const checked = granted ?? preselected(provider);
  const values = { ...valuesOf(user), picture: null };
  const { always, note } = consentText;
  // Not “before”: the portal forgets sessions that have ended.
  const noSession = `You have no other session with this app at ${hostOf(app.origin)}. Check that you trust this website.`;
  return {
    title: flow.callback === null ? `Choose what ${app.name} can see` : consentText.title(app.name),
    facts: factsOf(app, previousName),
    ...(logo !== null && { logo }),
    paragraphs: [
      signedInSentence(user, account),
      ...(isNewOrigin && !app.isLocal ? [noSession] : []),
      ...(claims.length === 0 ? [always] : []),
    ],
    form: {
      action: form.action,
      hidden: { flow: form.flow, csrf: flow.csrf },
      ...(claims.length > 0 && {
        choices: {
          legend: consentText.seen(app.name),
          hint: always,
          items: claims.map((claim) => ({
            name: claim,
            label: claimNames[claim],
            value: values[claim],
            isChecked: checked.includes(claim),
          })),
        },
      }),
      submit: flow.callback === null ? 'Save' : 'Continue',
      other: { name: 'answer', value: 'cancel', text: 'Cancel' },
    },
    note,
  };
}

/** Who has signed in, by what is proven about the account, or else by its name. */
function signedInSentence({ displayName, email, emailVerified }: User, account: AccountPreview): string {
  if (account.identifiers.length > 0 || displayName === null || displayName === '') {
    return accountSentence(account);
  }
  const hidden =
    email === null || emailVerified ? '' : ' Your email isn’t confirmed, so the app can’t see it.';
  return `You’re signed in as ${displayName}${displayName.endsWith('.') ? '' : '.'}${hidden}`;
}

export function savedNotice({ app, claims }: Extract<FlowEnd, { kind: 'consented' }>): Notice {
  const seen = tenantClaims
    .filter((claim) => claims.includes(claim))
    .map((claim) => claimNames[claim].toLowerCase());
  return {
    title: 'Saved',
    facts: factsOf(app),
    paragraphs: [
      seen.length === 0
        ? 'The app sees an ID for you, used nowhere else, and your sign-in method.'
        : `The app sees your ${new Intl.ListFormat('en-GB').format(seen)}.`,
      'What it has already learned, it may have kept.',
    ],
    link: { href: app.origin, text: `Go to ${hostOf(app.origin)}` },
  };
}

export const notSavedNotice = ({ app }: FlowEnd): Notice => ({
  title: 'Nothing was changed',
  facts: factsOf(app),
  paragraphs: ['The app sees what it saw before.'],
  link: { href: app.origin, text: `Go to ${hostOf(app.origin)}` },
});

const linkInvalid = {
  title: 'This sign-in link isn’t valid',
  next: 'Did an app send you here? Only its owner can fix this.',
};

/** Pages for errors after which the sign-in of an app can't continue. `next` follows the error's message. */
const refusals: Partial<Record<ErrorCode, { title: string; paragraphs?: string[]; next?: string }>> = {
  'auth.flowInvalid': {
    title: 'This sign-in can’t continue',
    paragraphs: [
      'It started in another browser, was already finished, or took longer than 30 minutes.',
      'Go back to the app and start again, in a browser with cookies enabled.',
    ],
  },
  'auth.tokenInvalid': {
    title: 'You’re signed out',
    paragraphs: [
      'Your session ended before you continued, so nothing was shared.',
      'Go back to the app and sign in again.',
    ],
  },
  'auth.redirectInvalid': linkInvalid,
  'auth.tenantUnknown': linkInvalid,
  'auth.tenantRequired': linkInvalid,
  'auth.tenantConflict': linkInvalid,
  'request.invalid': linkInvalid,
};

/** Whether no other sign-in method can help after this error. */
export const endsAppSignIn = (code: ErrorCode): boolean => refusals[code] !== undefined;

/** The page for a sign-in that an app began and that can't continue. It names what was sent, and leads nowhere else. */
export function appRefusal({ code, message }: PortalError, portal: string): Notice {
  const { title, paragraphs, next } = refusals[code] ?? {
    title: 'Sign-in didn’t work',
    next: 'Go back to the app and try again.',
  };
  return {
    title,
    paragraphs: paragraphs ?? [`${message}.`, ...(next === undefined ? [] : [next])],
    link: { href: portal, text: 'Go to Orange ID' },
  };
}

/** Sends the message to the page that opened this window, if it is still of this origin, and closes the window. */
const returnScript = `const { origin, message, address } = document.querySelector('[data-origin]').dataset;
if (window.opener) { window.opener.postMessage(JSON.parse(message), origin); window.close(); }
else window.location.replace(address);`;

export const returnScriptHash = `'sha256-${createHash('sha256').update(returnScript).digest('base64')}'`;

/** The last page of a sign-in in a popup. Without its opener it goes to the callback, which reads the same. */
export function returnPage({
  origin,
  message,
  address,
}: {
  origin: string;
  message: Record<string, string>;
  address: string;
}): string {
  const data = Object.entries({ origin, message: JSON.stringify(message), address });
  const attributes = data.map(([name, value]) => `data-${name}="${escapeHtml(value)}"`).join(' ');
  return plainPage(
    'Returning to the app',
    `<p ${attributes}>You can close this window.</p>
        <script>${returnScript}</script>`,
  );
}
