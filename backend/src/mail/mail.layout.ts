import { accent, brandPalette, textOnAccent } from '@orange-id/contract/brand.palette';
import { escapeHtml } from '../http/escape.html.js';
import { withWholeEmails } from '../http/notice.page.js';
import { logoCid } from './mail.logo.js';
import type { Mail } from './mail.outbox.js';

/** The content of an email. Every text is plain: this module escapes it for HTML. */
export interface MailContent {
  /** The heading of the email. Followed by the product's name, it is also the subject. */
  title: string;
  /** The preview that email programs show beside the subject. */
  preview: string;
  before: readonly string[];
  button: MailLink;
  /** Below the line: sentences and links. */
  after: readonly (string | MailLink)[];
}

interface MailLink {
  href: string;
  text: string;
}

/** Renders the content as text and as HTML, which email programs show in the product's colours. */
export function renderMail(words: MailContent): Omit<Mail, 'to'> {
  return { subject: `${words.title} · Orange ID`, text: textOf(words), html: htmlOf(words) };
}

const textOf = ({ title, before, button, after }: MailContent): string =>
  [title, ...[...before, button, ...after].map(lineOf), 'Orange ID'].join('\n\n') + '\n';

const lineOf = (part: string | MailLink): string =>
  typeof part === 'string' ? part : `${part.text}:\n${part.href}`;

const { light, dark } = brandPalette;
const fonts = "'Inter Variable',Inter,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

const followsSystem = ':root { color-scheme: light dark; }';
const whereDark = '@media (prefers-color-scheme: dark)';

/** Programs that ignore style sheets show the light colours of the style attributes. */
const darkStyle = `
    ${whereDark} {
      .page { background: ${dark.colorBgBase} !important; }
      .card { background: ${dark.colorBgContainer} !important; border-color: ${dark.colorBorderSecondary} !important; }
      .text, .text a { color: ${dark.colorText} !important; }
      .quiet, .quiet a { color: ${dark.colorTextSecondary} !important; }
      .line { border-color: ${dark.colorBorderSecondary} !important; }
    }`;

/** The HTML of an email in one theme, for a page that doesn't follow the system. */
export const inTheme = (html: string, theme: 'light' | 'dark'): string =>
  html
    .replace(followsSystem, `:root { color-scheme: ${theme}; }`)
    .replace(whereDark, theme === 'dark' ? '@media all' : '@media not all');

/**
 * Tables, because Outlook, which renders with Word, has no other way to set a width and a padding. Loads nothing: the
 * logo is part of the email, and fonts are the reader's.
 */
function htmlOf({ title, preview, before, button, after }: MailContent): string {
  const href = escapeHtml(button.href);
  const paragraph = (text: string): string =>
    `<p class="text" style="margin:0 0 12px;color:${light.colorText};overflow-wrap:anywhere;word-wrap:break-word">${withWholeEmails(text)}</p>`;
  const linked = (link: MailLink): string =>
    `<a href="${escapeHtml(link.href)}" style="color:${light.colorTextSecondary}">${escapeHtml(link.text)}</a>`;
  const note = (part: string | MailLink): string =>
    `<p class="quiet" style="margin:0 0 8px;color:${light.colorTextSecondary};font-size:14px;overflow-wrap:anywhere;word-wrap:break-word">${typeof part === 'string' ? withWholeEmails(part) : linked(part)}</p>`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
    <title>${escapeHtml(title)}</title>
    <style>
    .email { display: inline-block; max-width: 100%; vertical-align: top; word-break: break-all; }
    ${followsSystem}${darkStyle}
    </style>
  </head>
  <body class="page" style="margin:0;padding:0;background:${light.colorBgLayout}">
    <div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>
    <table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${light.colorBgLayout};table-layout:fixed">
      <tr>
        <td align="center" style="padding:32px 16px">
          <!--[if mso]><table role="presentation" width="520" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
          <div style="max-width:520px;margin:0 auto;text-align:left;font-family:${fonts};font-size:16px;line-height:1.55">
            <p class="text" style="margin:0 0 16px;color:${light.colorText};font-size:18px;font-weight:700;letter-spacing:-0.02em;line-height:32px"><img src="cid:${logoCid}" width="28" height="28" alt="" style="border:0;vertical-align:-6px"> Orange ID</p>
            <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">
              <tr>
                <td class="card" style="padding:32px 28px 24px;background:${light.colorBgContainer};border:1px solid ${light.colorBorderSecondary};border-radius:12px">
                  <h1 class="text" style="margin:0 0 16px;color:${light.colorText};font-size:22px;font-weight:650;letter-spacing:-0.02em;line-height:1.3">${escapeHtml(title)}</h1>
                  ${before.map(paragraph).join('\n                  ')}
                  <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 20px">
                    <tr>
                      <td bgcolor="${accent}" style="background:${accent};border-radius:8px;mso-padding-alt:12px 20px"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${accent};color:${textOnAccent};font-weight:600;line-height:20px;text-decoration:none">${escapeHtml(button.text)}</a></td>
                    </tr>
                  </table>
                  <p class="quiet" style="margin:0 0 24px;color:${light.colorTextSecondary};font-size:13px;word-break:break-all">Or paste this link into your browser:<br><a href="${href}" style="color:${light.colorTextSecondary}">${href}</a></p>
                  <div class="line" style="border-top:1px solid ${light.colorBorderSecondary};padding-top:16px">
                    ${after.map(note).join('\n                    ')}
                  </div>
                </td>
              </tr>
            </table>
          </div>
          <!--[if mso]></td></tr></table><![endif]-->
        </td>
      </tr>
    </table>
  </body>
</html>
`;
}
