import { brandMark } from '@orange-id/contract/brand.mark';
import { accent, brandPalette, textOnAccent } from '@orange-id/contract/brand.palette';
import { splitAtEmails } from '@orange-id/contract/email.rule';
import { storageKeys } from '@orange-id/contract/storage.keys';
import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import { cookieOf } from './cookie.js';
import { escapeHtml } from './escape.html.js';

/** A field of a page's form. `problem` says what was wrong with the previous submission, shown in place of the hint. */
export interface PageField {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password';
  autocomplete: string;
  hint?: string;
  problem?: string;
}

/** Check boxes, each sent as `<name>=yes`; `value` is what the choice is about. */
export interface PageChoices {
  legend: string;
  hint: string;
  items: readonly { name: string; label: string; value: string | null; isChecked: boolean }[];
}

/**
 * A form that posts to this server, urlencoded. `hidden` values are sent with it; `other` is a second, secondary
 * button.
 */
export interface PageForm {
  action: string;
  hidden?: Record<string, string>;
  choices?: PageChoices;
  fields?: readonly PageField[];
  submit: string;
  other?: { name: string; value: string; text: string };
}

export interface Notice {
  title: string;
  /** Shown below the title, all equally visible. Text of others: it cannot change the direction of what surrounds it. */
  facts?: readonly { term: string; value: string }[];
  /** The path of a picture on this portal, above the facts. */
  logo?: string;
  paragraphs: readonly string[];
  /** What was wrong, shown above everything else on the page. */
  problem?: string;
  form?: PageForm;
  link?: { href: string; text: string };
  /** Small print at the end. */
  note?: string;
}

/** A page as the OpenAPI document describes it. */
export const pageResponse = {
  status: 200,
  description: 'The page.',
  content: { 'text/html': { schema: { type: 'string' } } },
} as const;

/** A server-rendered page without scripts: a title, an explanation, a form or one link. */
export function noticePage({
  title,
  facts = [],
  logo,
  paragraphs,
  problem,
  form,
  link,
  note,
}: Notice): string {
  const main = [
    ...(problem === undefined ? [] : [`<p class="problem" role="alert">${escapeHtml(problem)}</p>`]),
    ...(logo === undefined ? [] : [`<img class="logo" src="${escapeHtml(logo)}" alt="">`]),
    ...(facts.length === 0 ? [] : [`<dl>${facts.map(factOf).join('')}</dl>`]),
    ...paragraphs.map((text) => `<p>${withWholeEmails(text)}</p>`),
    ...(form ? [formOf(form)] : []),
    ...(link
      ? [
          `<a class="${form ? 'aside' : 'button'}" href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a>`,
        ]
      : []),
    ...(note === undefined ? [] : [`<p class="note">${escapeHtml(note)}</p>`]),
  ];
  return plainPage(title, main.join('\n      '));
}

const factOf = ({ term, value }: { term: string; value: string }): string =>
  `<div><dt>${escapeHtml(term)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd></div>`;

/**
 * Escapes text for HTML. An email address that doesn't fit on a line breaks before its `@`, and inside a part only where
 * that is longer than the line; a punctuation mark after it stays with it.
 */
export const withWholeEmails = (text: string): string =>
  splitAtEmails(text)
    .map((part, place, parts) => {
      if (place % 2 === 1) return wholeEmail(part, punctuationOf(parts[place + 1]));
      return escapeHtml(place === 0 ? part : part.slice(punctuationOf(part).length));
    })
    .join('');

function wholeEmail(email: string, mark: string): string {
  const at = email.lastIndexOf('@');
  const whole = (part: string) => `<span class="email">${escapeHtml(part)}</span>`;
  return `${whole(email.slice(0, at))}<wbr>${whole(email.slice(at) + mark)}`;
}

const punctuationOf = (after = ''): string => (/^[.,;:?!)]/.test(after) ? after.charAt(0) : '');

/**
 * Sends a page of `plainPage`. Its policy allows its own style sheet, and the font and the icon of this portal; `more`
 * are further sources, by directive. The existing policy of the response limits where its forms may lead.
 */
export function sendPage(
  reply: FastifyReply,
  html: string,
  { status = 200, more = {} }: { status?: number; more?: Record<string, string> } = {},
): void {
  const before = String(reply.getHeader('content-security-policy') ?? '');
  const kept = before.split(';').filter((each) => /^(form-action |upgrade-insecure-requests)/.test(each));
  const own = {
    'default-src': "'none'",
    'style-src': pageStyleHash,
    'font-src': "'self'",
    'img-src': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    ...more,
  };
  const policy = [...Object.entries(own).map((directive) => directive.join(' ')), ...kept].join(';');
  void reply
    .status(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .send(inChosenTheme(html, reply.request));
}

/** The theme chosen in the portal, from a cookie; undefined without one, and for any other value. */
export function chosenTheme(request: Parameters<typeof cookieOf>[0]): 'light' | 'dark' | undefined {
  const theme = cookieOf(request, storageKeys.colorMode);
  return theme === 'light' || theme === 'dark' ? theme : undefined;
}

/** A page of `plainPage` in the theme chosen in the portal; without one it follows the system. */
export function inChosenTheme(html: string, request: Parameters<typeof cookieOf>[0]): string {
  const theme = chosenTheme(request);
  return theme ? html.replace(root, `<html lang="en" data-theme="${theme}">`) : html;
}

const root = '<html lang="en">';

/** A whole page around `main`, which is HTML. `isWide` makes room for a list. */
export function plainPage(title: string, main: string, isWide = false): string {
  return `<!doctype html>
${root}
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="/favicon.svg">
    <title>${escapeHtml(title)} · Orange ID</title>
    <style>${style}</style>
  </head>
  <body${isWide ? ' class="wide"' : ''}>
    <div class="page">
      <a class="brand" href="/">${logo}</a>
      <main>
        <h1>${escapeHtml(title)}</h1>
        ${main}
      </main>
    </div>
  </body>
</html>
`;
}

function formOf({ action, hidden = {}, choices, fields = [], submit, other }: PageForm): string {
  const lines = [
    ...Object.entries(hidden).map(
      ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    ),
    ...(choices ? [choicesOf(choices)] : []),
    ...fields.map(fieldOf),
    `<button type="submit">${escapeHtml(submit)}</button>`,
    ...(other
      ? [
          `<button type="submit" class="quiet" name="${escapeHtml(other.name)}" value="${escapeHtml(other.value)}">` +
            `${escapeHtml(other.text)}</button>`,
        ]
      : []),
  ];
  return `<form method="post" action="${escapeHtml(action)}" novalidate>
        ${lines.join('\n        ')}
      </form>`;
}

function choicesOf({ legend, hint, items }: PageChoices): string {
  const boxes = items.map(
    ({ name, label, value, isChecked }) =>
      `<label class="choice"><input type="checkbox" name="${name}" value="yes"${isChecked ? ' checked' : ''}>` +
      `<span>${escapeHtml(label)}${value === null ? '' : `<bdi>${escapeHtml(value)}</bdi>`}</span></label>`,
  );
  return `<fieldset aria-describedby="choices-hint"><legend>${escapeHtml(legend)}</legend>
        ${boxes.join('\n        ')}
        <p class="hint" id="choices-hint">${escapeHtml(hint)}</p></fieldset>`;
}

function fieldOf({ name, label, type, autocomplete, hint, problem }: PageField): string {
  const notes = [
    ...(problem === undefined ? [] : [{ id: `${name}-problem`, kind: 'problem', text: problem }]),
    ...(hint === undefined || problem !== undefined
      ? []
      : [{ id: `${name}-hint`, kind: 'hint', text: hint }]),
  ];
  const described = notes.length > 0 ? ` aria-describedby="${notes.map(({ id }) => id).join(' ')}"` : '';
  return `<label for="${name}">${escapeHtml(label)}</label>
        <input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${described}${
          problem === undefined ? '' : ' aria-invalid="true"'
        }>
        ${notes.map(({ id, kind, text }) => `<p class="${kind}" id="${id}">${escapeHtml(text)}</p>`).join('')}`;
}

const logo = `<svg width="164" height="40" viewBox="0 0 164 40" role="img" aria-label="Orange ID"><g fill="${accent}" transform="translate(0 4)"><path fill-rule="evenodd" d="${brandMark.orange}"/><path d="${brandMark.leaf}"/></g><path class="name" d="${brandMark.name}"/></svg>`;

const { light, dark } = brandPalette;

const darkColors = `--page: ${dark.colorBgBase}; --card: ${dark.colorBgContainer}; --field: ${dark.colorBgBase};
    --line: ${dark.colorBorderSecondary}; --border: ${dark.colorBorder}; --text: ${dark.colorText};
    --quiet: ${dark.colorTextSecondary}; --link: ${dark.colorLink}; --hover: ${dark.colorPrimaryHover};
    --problem: ${dark.colorError};`;

/** The portal's look, in the colours of `data-theme`, otherwise in those the system prefers. */
const style = `
@font-face { font-family: 'Inter Variable'; font-weight: 100 900; font-display: swap;
  src: url('/fonts/inter.woff2') format('woff2-variations'); }
:root { color-scheme: light dark; --page: ${light.colorBgLayout}; --card: ${light.colorBgContainer};
  --field: ${light.colorBgContainer}; --line: ${light.colorBorderSecondary};
  --border: ${light.colorBorder}; --text: ${light.colorText}; --quiet: ${light.colorTextSecondary};
  --link: ${light.colorLink}; --hover: ${light.colorPrimaryHover}; --problem: ${light.colorError}; }
@media (prefers-color-scheme: dark) { :root:not([data-theme='light']) { ${darkColors} } }
:root[data-theme='dark'] { color-scheme: dark; ${darkColors} }
:root[data-theme='light'] { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; padding: 48px 16px 64px; background: var(--page);
  color: var(--text); font: 14px/1.5714 'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto,
  'Helvetica Neue', Arial, sans-serif; font-feature-settings: 'cv05', 'cv11'; -webkit-font-smoothing: antialiased;
  -webkit-text-size-adjust: 100%; }
.page { max-width: 440px; margin: 0 auto; }
.wide .page { max-width: 680px; }
.wide main { padding: 0; background: none; border: 0; }
.brand { display: inline-block; margin: 0 0 20px; border-radius: 6px; }
.brand svg { display: block; }
.name { fill: var(--text); }
main { padding: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
h1 { margin: 0 0 12px; font-size: 20px; font-weight: 650; line-height: 1.3; letter-spacing: -0.02em; text-wrap: balance; }
p { margin: 0 0 12px; color: var(--quiet); overflow-wrap: anywhere; text-wrap: pretty; }
.email { display: inline-block; max-width: 100%; vertical-align: top; word-break: break-all; }
.problem { color: var(--problem); }
main > .problem { padding: 10px 12px; border: 1px solid; border-radius: 6px; }
form { display: grid; gap: 6px; margin-top: 20px; }
label { font-weight: 500; }
input { width: 100%; height: 40px; padding: 0 12px; border: 1px solid var(--border); border-radius: 6px;
  background: var(--field); color: var(--text); font: inherit; }
input:hover { border-color: var(--hover); }
input[aria-invalid] { border-color: var(--problem); }
input[type=checkbox] { width: 16px; height: 16px; margin: 0 8px 0 0; vertical-align: -3px; accent-color: ${accent}; }
.hint, form .problem { margin: 0 0 8px; font-size: 13px; }
.button, button { display: flex; align-items: center; justify-content: center; width: 100%; min-height: 44px;
  margin-top: 8px; padding: 8px 16px; border: 1px solid ${accent}; border-radius: 8px; background: ${accent};
  color: ${textOnAccent}; font: inherit; font-size: 16px; font-weight: 500; text-align: center; text-decoration: none;
  overflow-wrap: anywhere; cursor: pointer; touch-action: manipulation; }
.button { margin-top: 20px; }
.button:hover, button:hover { background: var(--hover); border-color: var(--hover); }
button.quiet { background: transparent; border-color: var(--border); color: var(--text); }
button.quiet:hover { color: var(--link); border-color: var(--hover); }
a { color: var(--link); }
.aside { display: block; margin-top: 16px; text-align: center; font-weight: 500; text-decoration: none; }
.aside:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid ${accent}; outline-offset: 2px; }
.logo { display: block; max-width: 164px; max-height: 40px; margin: 0 0 16px; padding: 6px; background: #fff; border-radius: 6px; box-sizing: content-box; }
dl { display: grid; gap: 8px; margin: 0 0 16px; padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; }
dt { color: var(--quiet); font-size: 13px; }
dd { margin: 0; overflow: hidden; font-size: 16px; font-weight: 600; overflow-wrap: anywhere; }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
legend { margin-bottom: 4px; padding: 0; font-weight: 600; }
.choice { display: flex; align-items: start; min-height: 44px; padding: 10px 0; cursor: pointer; }
.choice input { flex: none; height: 16px; margin-top: 3px; }
.choice bdi { display: block; color: var(--quiet); font-size: 13px; font-weight: 400; overflow-wrap: anywhere; }
.note { margin: 16px 0 0; font-size: 13px; }
h2 { margin: 24px 0 0; font-size: 14px; font-weight: 600; }
form + form { margin-top: 0; }
article { margin-top: 24px; padding-top: 24px; border-top: 1px solid var(--line); }
article h2 { margin: 0; font-size: 16px; line-height: 1.4; }
article p { font-size: 13px; }
article iframe { display: block; width: 100%; height: 600px; border: 1px solid var(--line); border-radius: 8px;
  resize: vertical; }
summary { margin-top: 12px; color: var(--quiet); font-size: 13px; cursor: pointer; }
code, .code { font: 13px/1.6 'JetBrains Mono Variable', ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-variant-ligatures: none; }
.code { min-height: 46px; margin: 8px 0 12px; padding: 12px; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px; list-style: none; white-space: pre-wrap; overflow-wrap: anywhere; }
.sample { margin: 12px 0; }
.below { margin-top: 24px; }
pre { margin: 12px 0 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 479px) { body { padding-top: 24px; } body:not(.wide) main { padding: 24px 20px; } }
@media (min-width: 480px) { .aside { margin-top: 20px; } }
`;

/** The source of a policy that allows the style of `plainPage`. */
export const pageStyleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
