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

test('an email address in a page never breaks after a hyphen, and keeps the full stop after it', () => {
  const page = noticePage({
    title: 'Done',
    paragraphs: ['We wrote to n-1795@example-site.com.', 'a <b>@c.de'],
  });
  expect(page).toContain('<p>We wrote to <span class="email">n-1795@example-site.com.</span></p>');
  expect(page).toContain('<p>a &lt;b&gt;@c.de</p>');
});

test.each([undefined, '', 'portal-theme=', 'portal-theme=blue', 'portal-theme=dark">', 'xportal-theme=dark'])(
  'a page of the server follows the system with the cookie %j',
  async (cookie) => {
    expect(await pageFor(cookie)).toBe('<html lang="en">');
  },
);
