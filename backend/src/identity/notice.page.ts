import { escapeHtml } from '../http/escape.html.js';

/** A page of the identity service itself, without scripts: a title, what it means, one way on. */
export function noticePage(notice: {
  title: string;
  paragraphs: readonly string[];
  link: { href: string; text: string };
}): string {
  const paragraphs = notice.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n      ');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(notice.title)} · Orange ID</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <p class="brand"><span aria-hidden="true"></span>Orange ID</p>
      <h1>${escapeHtml(notice.title)}</h1>
      ${paragraphs}
      <a href="${escapeHtml(notice.link.href)}">${escapeHtml(notice.link.text)}</a>
    </main>
  </body>
</html>
`;
}

const style = `
:root { --page: #faf8f6; --card: #fff; --border: #e7e1db; --text: #211d1a; --quiet: #655d56; --accent: #F37920; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0E0D0C; --card: #171513; --border: #26221F; --text: #f4f0ec; --quiet: #b3aaa2; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--page);
  color: var(--text); font: 14px/1.6 'Inter Variable', Inter, system-ui, sans-serif; }
main { width: 100%; max-width: 480px; padding: 32px 24px; background: var(--card); border: 1px solid var(--border);
  border-radius: 8px; }
h1 { margin: 16px 0 8px; font-size: 20px; line-height: 1.3; }
p { margin: 0 0 12px; color: var(--quiet); overflow-wrap: anywhere; }
.brand { display: flex; align-items: center; gap: 8px; margin: 0; color: var(--text); font-weight: 600; }
.brand span { width: 12px; height: 12px; border-radius: 50%; background: var(--accent); }
a { display: inline-block; margin-top: 12px; padding: 9px 16px; border-radius: 6px; background: var(--accent);
  color: #211d1a; font-weight: 600; text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; }
`;
