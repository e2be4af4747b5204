import { limits } from '@orange-id/contract/limits';
import { escapeHtml } from '../../http/escape.html.js';
import type { Mail } from '../../mail/mail.outbox.js';

type Words = Omit<Mail, 'to'>;

const hours = (seconds: number): string => (seconds === 3600 ? '1 hour' : `${seconds / 3600} hours`);

/** Asks whoever reads this mailbox whether the account is theirs. */
export const confirmMail = ({ email, href }: { email: string; href: string }): Words =>
  mailOf({
    subject: 'Confirm your e-mail address',
    before: [
      `Somebody gave ${email} as the e-mail address of an Orange ID account.`,
      'If that was you, open this page and confirm it:',
    ],
    button: { href, text: 'Confirm e-mail address' },
    after: [
      `The link works once and for ${hours(limits.confirmLinkSeconds)}.`,
      'If it was not you, do not confirm: the account is not yours. The same page lets you say so.',
    ],
  });

/** Leads to the page where a new password is chosen. */
export const resetMail = ({ email, href }: { email: string; href: string }): Words =>
  mailOf({
    subject: 'Choose a new password',
    before: [
      `Somebody asked for a new password for the Orange ID account of ${email}.`,
      'If that was you, open this page and choose one:',
    ],
    button: { href, text: 'Choose a new password' },
    after: [
      `The link works once and for ${hours(limits.resetLinkSeconds)}. A new password signs you out everywhere.`,
      'If it was not you, there is nothing to do: the password stays as it is.',
    ],
  });

/** What every mail about an account says: whose it is, when it was, and where to sign in. */
export interface NoticeWords {
  email: string;
  at: Date;
  href: string;
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const moment = (at: Date): string => `${day.format(at)} at ${time.format(at)} UTC`;
const toSignIn = (href: string) => ({ href, text: 'Go to sign-in' });

/** Says which API keys of an account ended with a reset, and what to do about its projects. */
export const endedKeysWords = (count: number): string =>
  `${count === 1 ? 'One API key' : `${count} API keys`} of the account no longer ${count === 1 ? 'works' : 'work'}, because anybody could have made ${count === 1 ? 'it' : 'them'} before this address was confirmed. Projects have a new key; delete the projects you did not make.`;

/** Tells that an account has another password, and what to do if that was somebody else. */
export const passwordChangedMail = ({
  email,
  at,
  href,
  by,
  endedKeys = 0,
}: NoticeWords & { by: 'change' | 'link'; endedKeys?: number }): Words =>
  mailOf({
    subject: 'Your password was changed',
    before: [
      `The password of the Orange ID account of ${email} was changed on ${moment(at)}.`,
      by === 'link'
        ? 'It was set by a link that was sent to this mailbox. Every sign-in has ended, on all devices.'
        : 'It was changed by somebody who was signed in and knew the one before. Every other sign-in has ended, on all devices.',
      ...(endedKeys > 0 ? [endedKeysWords(endedKeys)] : []),
    ],
    button: toSignIn(href),
    after: [
      'If that was you, there is nothing to do.',
      'If it was not you, choose “Forgot password” at sign-in: a link to this mailbox sets another password and ends every sign-in. Then remove in Settings what is not yours. API keys go on working until they are deleted.',
    ],
  });

/** Tells that an account is entered in one way more, or less. */
export const methodChangedMail = ({
  email,
  at,
  href,
  deed,
  method,
}: NoticeWords & { deed: 'added' | 'removed'; method: string }): Words =>
  mailOf({
    subject: `A way to sign in was ${deed}`,
    before: [
      `${method.replace(/^./, (first) => first.toUpperCase())} was ${deed} ${deed === 'added' ? 'to' : 'from'} the Orange ID account of ${email} on ${moment(at)}.`,
      deed === 'added'
        ? 'The account is entered with it, too, from now on.'
        : 'Nobody gets into the account with it any more.',
    ],
    button: toSignIn(href),
    after: [
      'If that was you, there is nothing to do.',
      'If it was not you, sign in, put right in Settings how the account is entered, and sign out everywhere. If it has a password, choose another.',
    ],
  });

/** Tells that an account has another address to be reached at, and what to do if that was somebody else. */
export const contactReplacedMail = ({ email, at, href }: NoticeWords): Words =>
  mailOf({
    subject: 'Your contact address was replaced',
    before: [
      `The profile of an Orange ID account named ${email} as its e-mail address until ${moment(at)}. Then it was replaced by another.`,
      `${email} is no longer the contact of that account. How the account is entered has not changed.`,
    ],
    button: toSignIn(href),
    after: [
      'If that was you, there is nothing to do.',
      'If it was not you, sign in as before, put your address back in Settings, remove there what is not yours, and sign out everywhere. If the account has a password, choose another.',
    ],
  });

/** The same words twice: as text, and as HTML without images, scripts or anything fetched. */
function mailOf({
  subject,
  before,
  button,
  after,
}: {
  subject: string;
  before: readonly string[];
  button: { href: string; text: string };
  after: readonly string[];
}): Words {
  const paragraph = (text: string): string => `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`;
  const href = escapeHtml(button.href);
  return {
    subject: `${subject} · Orange ID`,
    text: [...before, button.href, ...after, 'Orange ID'].join('\n\n') + '\n',
    html: `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
  <body style="margin:0;padding:24px;background:#faf8f6;color:#211d1a;font:15px/1.6 system-ui,sans-serif">
    <div style="max-width:480px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #e7e1db;border-radius:8px">
      <p style="margin:0 0 16px;font-weight:600">Orange ID</p>
      ${before.map(paragraph).join('\n      ')}
      <p style="margin:20px 0"><a href="${href}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#F37920;color:#211d1a;font-weight:600;text-decoration:none">${escapeHtml(button.text)}</a></p>
      ${after.map(paragraph).join('\n      ')}
      <p style="margin:20px 0 0;font-size:13px;color:#655d56;word-break:break-all">If the button does nothing, open this address: ${href}</p>
    </div>
  </body>
</html>
`,
  };
}
