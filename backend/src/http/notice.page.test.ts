import { expect, test } from '@jest/globals';
import { fastify } from 'fastify';
import { noticePage, sendPage } from './notice.page.js';

async function pageFor(cookie?: string) {
  const server = fastify();
  server.get('/', (_request, reply) => sendPage(reply, noticePage({ title: 'Done', paragraphs: [] })));
  const answer = await server.inject({ url: '/', headers: cookie === undefined ? {} : { cookie } });
  await server.close();
  return /<html[^>]*>/.exec(answer.body)?.[0];
}

test.each(['light', 'dark'])(
  'a page of the server is %s for a user who chose that in the portal',
  async (theme) => {
    expect(await pageFor(`other=1; portal-theme=${theme}`)).toBe(`<html lang="en" data-theme="${theme}">`);
  },
);

test('an email address in a page breaks before its @, never after a hyphen, and keeps the full stop after it', () => {
  const page = noticePage({
    title: 'Done',
    paragraphs: ['We wrote to n-1795@example-site.com.', "o'hara&co@c.de, two@of@them", 'a <b>@c.de'],
  });
  const broken = (local: string, domain: string) =>
    `<span class="email">${local}</span><wbr><span class="email">${domain}</span>`;
  expect(page).toContain(`<p>We wrote to ${broken('n-1795', '@example-site.com.')}</p>`);
  expect(page).toContain(`<p>${broken('o&#39;hara&amp;co', '@c.de,')} ${broken('two@of', '@them')}</p>`);
  expect(page).toContain('<p>a &lt;b&gt;@c.de</p>');
});

test('every class of a page has a style', () => {
  const field = { name: 'code', label: 'Code', type: 'text', autocomplete: 'off' } as const;
  const page = noticePage({
    title: 'Done',
    paragraphs: ['We wrote to ada@example.com.'],
    problem: 'Try again.',
    form: {
      action: '/',
      fields: [
        { ...field, hint: 'In the email.' },
        { ...field, problem: 'Enter the code.' },
      ],
      submit: 'Send',
      other: { name: 'skip', value: '1', text: 'Skip' },
    },
    link: { href: '/', text: 'Home' },
  });
  const [style = ''] = /<style>[^]*<\/style>/.exec(page) ?? [];
  const classes = new Set([...page.matchAll(/ class="([^"]+)"/g)].map(([, name]) => name));
  expect([...classes].filter((name) => !style.includes(`.${name}`))).toEqual([]);
  expect(classes.size).toBeGreaterThan(5);
});

test('a field shows its hint, or instead its problem, and refers to what it shows', () => {
  const field = {
    name: 'code',
    label: 'Code',
    type: 'text',
    autocomplete: 'off',
    hint: 'In the email.',
  } as const;
  const pageOf = (more: { problem?: string }) =>
    noticePage({
      title: 'Done',
      paragraphs: [],
      form: { action: '/', fields: [{ ...field, ...more }], submit: 'Send' },
    });
  const hinted = pageOf({});
  expect(hinted).toContain('required aria-describedby="code-hint">');
  expect(hinted).toContain('<p class="hint" id="code-hint">In the email.</p>');
  const refused = pageOf({ problem: 'Enter the code.' });
  expect(refused).toContain('required aria-describedby="code-problem" aria-invalid="true">');
  expect(refused).toContain('<p class="problem" id="code-problem">Enter the code.</p>');
  expect(refused).not.toContain('In the email.');
});

test.each([undefined, '', 'portal-theme=', 'portal-theme=blue', 'portal-theme=dark">', 'xportal-theme=dark'])(
  'a page of the server has the system’s theme with the cookie %j',
  async (cookie) => {
    expect(await pageFor(cookie)).toBe('<html lang="en">');
  },
);
