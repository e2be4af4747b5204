import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { canary, hostileTexts } from '@orange-id/contract/hostile.text.fixture';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../database/new.id.js';
import { signUp, type SignedUp } from '../testing/sign.up.js';
import { startTestApp, type TestApp } from '../testing/test.app.js';

const shell =
  '<html><head><title>{{title}}</title><meta name="description" content="{{description}}" />' +
  '<link rel="canonical" href="{{address}}" /><script type="application/json" id="portal-config">{{config}}</script>' +
  '</head><body><div id="root"></div><script type="module" src="/assets/main.js"></script></body></html>';

describe('the pages of the community, as the server sends them', () => {
  let portal: TestApp;
  let author: SignedUp;
  let WEB_ROOT: string;
  beforeAll(async () => {
    WEB_ROOT = await mkdtemp(join(tmpdir(), 'portal-test-'));
    await mkdir(join(WEB_ROOT, 'app'), { recursive: true });
    await writeFile(join(WEB_ROOT, 'app/index.html'), shell);
    portal = await startTestApp({ WEB_ROOT });
    author = await signUp(portal);
    await portal.db.query('update users set display_name = $2 where id = $1', [author.userId, 'Ada <b>']);
  });
  afterAll(async () => {
    await portal.close();
    await rm(WEB_ROOT, { recursive: true });
  });

  const send = async (path: string, body: object): Promise<string> => {
    const answer = await portal.call('POST', `/api/forum/posts${path}`, { token: author.token, body });
    expect(answer.status).toBeLessThan(300);
    return answer.body.id;
  };
  const open = async (path: string) => {
    const page = await fetch(portal.url + path);
    const html = await page.text();
    const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    const [, readable = ''] = /<noscript>(.*?)<\/noscript>/s.exec(html) ?? [];
    return { status: page.status, headers: page.headers, html, readable, data: json && JSON.parse(json) };
  };

  test('a question is readable without scripts and describes itself and its answers', async () => {
    const id = await send('', {
      title: 'Why 429 & not 200?',
      content: '**Some** text',
      category: 'Questions',
    });
    const first = await send(`/${id}/replies`, { content: 'An idea' });
    const accepted = await send(`/${id}/replies`, { content: 'The `answer`' });
    await send(`/${id}/resolve`, { isResolved: true, acceptedReplyId: accepted });
    const url = `${portal.url}/community/posts/${id}`;
    const { status, html, readable, data } = await open(`/community/posts/${id}`);
    expect(status).toBe(200);
    expect(html).toContain('<title>Why 429 &amp; not 200? · Orange ID developer portal</title>');
    expect(html).toContain('<meta name="description" content="Some text" />');
    expect(html).toContain(`<link rel="canonical" href="${url}" />`);
    expect(readable).toContain('<h1>Why 429 &amp; not 200?</h1>');
    expect(readable).toContain('<p>The <code>answer</code></p>');
    expect(readable).toContain('Ada &lt;b&gt;');
    const author = { '@type': 'Person', name: 'Ada <b>' };
    const dateCreated = expect.any(String);
    expect(data).toEqual({
      '@context': 'https://schema.org',
      '@type': 'QAPage',
      mainEntity: {
        '@type': 'Question',
        name: 'Why 429 & not 200?',
        text: 'Some text',
        url,
        author,
        dateCreated,
        answerCount: 2,
        acceptedAnswer: {
          '@type': 'Answer',
          text: 'The answer',
          url: `${url}#reply-${accepted}`,
          author,
          dateCreated,
        },
        suggestedAnswer: [
          { '@type': 'Answer', text: 'An idea', url: `${url}#reply-${first}`, author, dateCreated },
        ],
      },
    });
  });

  test('the list links to its posts', async () => {
    const id = await send('', { title: 'An idea & more', content: 'Text', category: 'Ideas' });
    const { status, html, readable } = await open('/community?sort=active');
    expect(status).toBe(200);
    expect(html).toContain(`<link rel="canonical" href="${portal.url}/community" />`);
    expect(readable).toContain(`<a href="/community/posts/${id}">An idea &amp; more</a>`);
    expect((await open(`/community/posts/${id}`)).data).toMatchObject({
      '@type': 'DiscussionForumPosting',
      headline: 'An idea & more',
    });
  });

  test('the page of a thread of the longest texts has some of them, and the beginnings of their text', async () => {
    const content = '- - - - - - - - - a\n'.repeat(1_000);
    const id = await send('', { title: 'Long', content, category: 'Ideas' });
    await portal.db.query(
      `insert into forum_replies (id, post_id, user_id, content, html, renderer)
         select r.id, p.id, p.user_id, p.content, p.html, p.renderer
         from forum_posts p, unnest($2::uuid[]) as r(id) where p.id = $1`,
      [id, Array.from({ length: 50 }, () => newId())],
    );
    const { html, data, readable } = await open(`/community/posts/${id}`);
    expect(html.length).toBeLessThan(1_000_000);
    expect(readable).toContain('read more replies');
    expect(data.comment.length).toBeLessThan(5);
    for (const { text } of [data, ...data.comment]) expect(text).toMatch(/^(a )+a?…$/);
  });

  test('a missing or hidden post returns 404 with the application and no text', async () => {
    const id = await send('', { title: 'Hidden title', content: 'Hidden text', category: 'Bugs' });
    await portal.db.query('update forum_posts set is_hidden = true where id = $1', [id]);
    for (const path of [id, newId(), 'x', '%3Cscript%3E']) {
      const { status, html } = await open(`/community/posts/${path}`);
      expect([status, html]).toEqual([404, expect.stringContaining('<div id="root"></div>')]);
      expect(html).not.toMatch(/Hidden|noscript|ld\+json/);
    }
  });

  test.each([...hostileTexts, '</noscript>{{config}}$&$1', '[x](https://a/</noscript>)'])(
    'no text leaves its element: %j',
    async (text) => {
      const id = newId();
      const content = { id, userId: author.userId, title: text, content: text };
      await portal.db.query(
        `insert into forum_posts (id, user_id, title, content, category, excerpt) values ($1, $2, $3, $4, 'Questions', $4)`,
        Object.values(content),
      );
      for (const path of [`/community/posts/${id}`, '/community']) {
        const { status, html } = await open(path);
        expect(status).toBe(200);
        expect(html.match(/<script[^>]*>/g)).toEqual([
          '<script type="application/json" id="portal-config">',
          ...(path === '/community' ? [] : ['<script type="application/ld+json">']),
          '<script type="module" src="/assets/main.js">',
        ]);
        expect(html.match(/<\/?(noscript|title)>/g)).toHaveLength(4);
        expect(html).not.toMatch(/<(img|svg|iframe|base|link rel=icon|b )|href="(javascript|data)/i);
        for (const once of ['"publicUrl"', '<div id="root"></div>']) expect(html.split(once)).toHaveLength(2);
      }
      expect(text.includes(canary) ? (await open(`/community/posts/${id}`)).data.mainEntity.name : text).toBe(
        text,
      );
    },
  );
});
