import { escapeHtml } from '../http/escape.html.js';

/** A field of a page's form. `problem` is what was wrong with it the last time. */
export interface PageField {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password';
  autocomplete: string;
  hint?: string;
  problem?: string;
}

/** A form that posts to this server, urlencoded. `hidden` values go with it; `other` is a second, quieter button. */
export interface PageForm {
  action: string;
  hidden?: Record<string, string>;
  fields?: readonly PageField[];
  submit: string;
  other?: { name: string; value: string; text: string };
}

export interface Notice {
  title: string;
  paragraphs: readonly string[];
  /** What went wrong, above everything else that can be done on the page. */
  problem?: string;
  form?: PageForm;
  link?: { href: string; text: string };
}

/** A page of the identity service itself, without scripts: a title, what it means, a form or one way on. */
export function noticePage({ title, paragraphs, problem, form, link }: Notice): string {
  const main = [
    ...(problem === undefined ? [] : [`<p class="problem" role="alert">${escapeHtml(problem)}</p>`]),
    ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(form ? [formOf(form)] : []),
    ...(link
      ? [
          `<a class="${form ? 'aside' : 'button'}" href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a>`,
        ]
      : []),
  ];
  return plainPage(title, main.join('\n      '));
}

/** A whole page around `main`, which is HTML. `isWide` gives it room for a list. */
export function plainPage(title: string, main: string, isWide = false): string {
  return `<!doctype html>
<html lang="en">
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
    <main>
      <p class="brand"><span aria-hidden="true"></span>Orange ID</p>
      <h1>${escapeHtml(title)}</h1>
      ${main}
    </main>
  </body>
</html>
`;
}

function formOf({ action, hidden = {}, fields = [], submit, other }: PageForm): string {
  const lines = [
    ...Object.entries(hidden).map(
      ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    ),
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

function fieldOf({ name, label, type, autocomplete, hint, problem }: PageField): string {
  const notes = [
    ...(problem === undefined ? [] : [{ id: `${name}-problem`, kind: 'problem', text: problem }]),
    ...(hint === undefined ? [] : [{ id: `${name}-hint`, kind: 'hint', text: hint }]),
  ];
  const described = notes.length > 0 ? ` aria-describedby="${notes.map(({ id }) => id).join(' ')}"` : '';
  return `<label for="${name}">${escapeHtml(label)}</label>
        <input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${described}${
          problem === undefined ? '' : ' aria-invalid="true"'
        }>
        ${notes.map(({ id, kind, text }) => `<p class="${kind}" id="${id}">${escapeHtml(text)}</p>`).join('')}`;
}

const style = `
:root { --page: #faf8f6; --card: #fff; --border: #e7e1db; --text: #211d1a; --quiet: #655d56; --accent: #F37920;
  --problem: #b42318; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0E0D0C; --card: #171513; --border: #26221F; --text: #f4f0ec; --quiet: #b3aaa2; --problem: #ff9b8f; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--page);
  color: var(--text); font: 14px/1.6 'Inter Variable', Inter, system-ui, sans-serif; }
main { width: 100%; max-width: 480px; padding: 32px 24px; background: var(--card); border: 1px solid var(--border);
  border-radius: 8px; }
.wide { place-items: start center; }
.wide main { max-width: 760px; }
h1 { margin: 16px 0 8px; font-size: 20px; line-height: 1.3; }
p { margin: 0 0 12px; color: var(--quiet); overflow-wrap: anywhere; }
.problem { color: var(--problem); }
.brand { display: flex; align-items: center; gap: 8px; margin: 0; color: var(--text); font-weight: 600; }
.brand span { width: 12px; height: 12px; border-radius: 50%; background: var(--accent); }
form { display: grid; gap: 4px; margin-top: 16px; }
label { font-weight: 600; }
input { width: 100%; padding: 9px 11px; border: 1px solid var(--quiet); border-radius: 6px; background: var(--page);
  color: var(--text); font: inherit; }
input[aria-invalid] { border-color: var(--problem); }
.button, button { display: inline-block; justify-self: start; margin-top: 12px; padding: 9px 16px; border: 1px solid
  var(--accent); border-radius: 6px; background: var(--accent); color: #211d1a; font: inherit; font-weight: 600;
  text-decoration: none; cursor: pointer; }
.button:hover { text-decoration: underline; }
button.quiet { margin-top: 4px; background: transparent; border-color: var(--border); color: var(--text); }
a { color: inherit; }
.aside { display: inline-block; margin-top: 16px; }
a:focus-visible, button:focus-visible, input:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; }
article { margin-top: 16px; padding: 16px; border: 1px solid var(--border); border-radius: 6px; }
article h2 { margin: 0; font-size: 16px; line-height: 1.4; }
article pre { margin: 12px 0 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
