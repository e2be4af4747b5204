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
