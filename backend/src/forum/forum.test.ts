import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ForumChange, ForumPostSummary } from '@orange-id/contract/forum.schema';
import { limits } from '@orange-id/contract/limits';
import type { User } from '../auth/user.entity.js';
import { newId } from '../database/new.id.js';
import { openLive } from '../testing/open.live.js';
import { signUp, type SignedUp } from '../testing/sign.up.js';
import { type Answer, startAnother, startTestApp, type TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { rendererVersion } from './forum.markdown.js';
import { ForumService } from './forum.service.js';

const administrator = 'admin@example.com';

describe('the community', () => {
  let portal: TestApp;
  let author: SignedUp;
  let other: SignedUp;
  let admin: SignedUp;
  beforeAll(async () => {
    portal = await startTestApp({ ADMINISTRATORS: `someone@example.com, ${administrator.toUpperCase()}` });
    author = await named('Ada');
    other = await named('Grace');
    admin = await named('Admin', administrator);
    await portal.db.query('update users set email_verified = true where id = $1', [admin.userId]);
  }, 30_000);
  afterAll(() => portal.close());

  async function named(name: string, email?: string): Promise<SignedUp> {
    const user = await signUp(portal, email);
    await portal.db.query('update users set display_name = $2 where id = $1', [user.userId, name]);
    return user;
  }
  const send = (user: SignedUp | null, method: string, path: string, body?: unknown): Promise<Answer> =>
    portal.call(method, `/api/forum${path}`, { ...(user ? { token: user.token } : {}), body });
  const get = (path: string): Promise<Answer> => send(null, 'GET', path);
  let made = 0;
  const write = async (user: SignedUp, change: object = {}): Promise<string> => {
    made += 1;
    const body = { title: `Post ${made}`, content: `Text ${made}`, category: 'Questions', ...change };
    const answer = await send(user, 'POST', '/posts', body);
    expect(answer.status).toBe(201);
    return answer.body.id;
  };
  const answerTo = async (user: SignedUp, post: string, content = 'An answer'): Promise<string> => {
    const answer = await send(user, 'POST', `/posts/${post}/replies`, { content });
    expect(answer.status).toBe(201);
    return answer.body.id;
  };
  const idsOf = ({ body }: Answer): string[] => body.posts.map(({ id }: ForumPostSummary) => id);

  test('a post is public with its author, its HTML and the fields of its table', async () => {
    const id = await write(author, { title: ' How  do I ＡＢＣ? ', content: '**Hi** <b>x</b>\r\n' });
    const { status, body } = await get(`/posts/${id}`);
    expect([status, body]).toEqual([
      200,
      {
        id,
        userId: author.userId,
        title: 'How do I ＡＢＣ?',
        content: '**Hi** <b>x</b>',
        category: 'Questions',
        isResolved: false,
        createdAt: expect.any(String),
        updatedAt: body.createdAt,
        authorName: 'Ada',
        html: '<p><strong>Hi</strong> &lt;b&gt;x&lt;/b&gt;</p>\n',
        replyCount: 0,
        acceptedReplyId: null,
        editedAt: null,
        isLocked: false,
        isPinned: false,
        isHidden: false,
        moderationReason: null,
      },
    ]);
  });

  test('an unknown or malformed id returns 404', async () => {
    for (const id of [newId(), 'x', '%00', `${newId()}0`]) {
      const { status, body } = await get(`/posts/${id}`);
      expect([status, body.code]).toEqual([404, 'forum.postNotFound']);
      expect((await get(`/posts/${id}/replies`)).status).toBe(404);
    }
  });

  test('writing needs a session and a display name', async () => {
    const nameless = await signUp(portal);
    const post = await write(author);
    const body = { title: 'A', content: 'B', category: 'Bugs' };
    expect((await send(null, 'POST', '/posts', body)).status).toBe(401);
    for (const [method, path, sent] of [
      ['POST', '/posts', body],
      ['POST', `/posts/${post}/replies`, { content: 'B' }],
    ] as const) {
      const answer = await send(nameless, method, path, sent);
      expect([answer.status, answer.body.code]).toEqual([403, 'forum.nameRequired']);
    }
    expect((await send(nameless, 'GET', '/me')).body).toEqual({ canWrite: false, isAdministrator: false });
    expect((await send(author, 'GET', '/me')).body).toEqual({ canWrite: true, isAdministrator: false });
  });

  test.each([
    ['title', { title: '' }],
    ['title', { title: 'a\u202eb' }],
    ['title', { title: 'a\u200bb' }],
    ['content', { content: ' \n ' }],
    ['content', { content: 'a\u202eb' }],
    ['content', { content: 'a\u0000b' }],
    ['content', { content: '\ud800' }],
    ['category', { category: 'Other' }],
    ['userId', { userId: 'x' }],
    ['isResolved', { isResolved: true }],
  ])('a post with a bad %s is refused by its name: %j', async (field, change) => {
    const body = { title: 'A', content: 'B', category: 'Ideas', ...change };
    const answer = await send(author, 'POST', '/posts', body);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(field)]);
  });

  test('a post may have the longest title and content, and not one character more', async () => {
    const longest = {
      title: '🦊'.repeat(limits.forumTitleMaxCharacters),
      content: '🦊'.repeat(limits.forumContentMaxCharacters),
    };
    await write(author, longest);
    for (const field of ['title', 'content'] as const) {
      const body = { ...longest, [field]: `${longest[field]}x`, category: 'Ideas' };
      const { status, text } = await send(author, 'POST', '/posts', body);
      expect([status, text]).toEqual([400, expect.stringContaining(field)]);
    }
  });

  test('the same post or reply within a minute is stored once, also when sent at the same time', async () => {
    const body = { title: 'Twice', content: 'The same', category: 'Bugs' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(other, 'POST', '/posts', body)));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    const post = answers[0]?.body.id;
    const replies = await Promise.all(Array.from({ length: 4 }, () => answerTo(author, post)));
    expect(new Set(replies).size).toBe(1);
    expect((await get(`/posts/${post}`)).body.replyCount).toBe(1);
    await portal.db.query(`update forum_posts set created_at = now() - interval '61 seconds' where id = $1`, [
      post,
    ]);
    expect((await send(other, 'POST', '/posts', body)).body.id).not.toBe(post);
  });

  test('only the author can change, resolve or delete; others get 404', async () => {
    const post = await write(author);
    const reply = await answerTo(author, post);
    for (const [method, path, body] of [
      ['PATCH', `/posts/${post}`, { title: 'Taken over' }],
      ['DELETE', `/posts/${post}`],
      ['POST', `/posts/${post}/resolve`, { isResolved: true }],
      ['PATCH', `/posts/${post}/replies/${reply}`, { content: 'Taken over' }],
      ['DELETE', `/posts/${post}/replies/${reply}`],
    ] as const) {
      // An administrator moderates, and changes no text either.
      for (const user of [other, admin]) expect((await send(user, method, path, body)).status).toBe(404);
      expect((await send(null, method, path, body)).status).toBe(401);
    }
    const changed = await send(author, 'PATCH', `/posts/${post}`, { content: '_New_' });
    expect(changed.body).toMatchObject({ html: '<p><em>New</em></p>\n', editedAt: expect.any(String) });
    const again = await send(author, 'PATCH', `/posts/${post}/replies/${reply}`, { content: 'Better' });
    expect(again.body).toMatchObject({ content: 'Better', editedAt: expect.any(String) });
    expect((await send(author, 'DELETE', `/posts/${post}/replies/${reply}`)).status).toBe(204);
    expect((await get(`/posts/${post}`)).body.replyCount).toBe(0);
    expect((await send(author, 'DELETE', `/posts/${post}`)).status).toBe(204);
    expect((await get(`/posts/${post}`)).status).toBe(404);
  });

  test('a change of another version than the one that was read is refused, and nothing of it is stored', async () => {
    const writer = await named('Alan');
    const post = await write(writer);
    const reply = await answerTo(writer, post);
    for (const path of [`/posts/${post}`, `/posts/${post}/replies/${reply}`]) {
      const first = await send(writer, 'PATCH', path, { content: 'First', readEditedAt: null });
      expect([first.status, first.body.content]).toEqual([200, 'First']);
      const late = await send(writer, 'PATCH', path, { content: 'Late', readEditedAt: null });
      expect([late.status, late.body.code]).toEqual([409, 'forum.changedElsewhere']);
      const next = { content: 'Second', readEditedAt: first.body.editedAt };
      expect((await send(writer, 'PATCH', path, next)).body.content).toBe('Second');
      expect((await send(writer, 'PATCH', path, { content: 'Forced' })).body.content).toBe('Forced');
    }
    expect((await send(writer, 'PATCH', `/posts/${post}`, { readEditedAt: null })).status).toBe(400);
  });

  test('the author accepts a reply to this post, and can take it back', async () => {
    const post = await write(author);
    const reply = await answerTo(other, post);
    const elsewhere = await answerTo(other, await write(author));
    const resolve = (body: object) => send(author, 'POST', `/posts/${post}/resolve`, body);
    expect((await resolve({ isResolved: true, acceptedReplyId: elsewhere })).body.code).toBe(
      'forum.replyNotFound',
    );
    expect((await resolve({ isResolved: true, acceptedReplyId: reply })).body).toMatchObject({
      isResolved: true,
      acceptedReplyId: reply,
    });
    expect((await get(`/posts/${post}/replies`)).body.replies[0]).toMatchObject({ isAccepted: true });
    await send(other, 'DELETE', `/posts/${post}/replies/${reply}`);
    expect((await get(`/posts/${post}`)).body.acceptedReplyId).toBeNull();
    expect((await resolve({ isResolved: false })).body.isResolved).toBe(false);
  });

  test('posts and replies of a deleted account stay, under ‘Deleted user’', async () => {
    const leaving = await named('Leaving');
    const post = await write(leaving);
    await answerTo(leaving, post);
    await portal.db.query('delete from users where id = $1', [leaving.userId]);
    const gone = { userId: null, authorName: 'Deleted user' };
    expect((await get(`/posts/${post}`)).body).toMatchObject(gone);
    expect((await get(`/posts/${post}/replies`)).body.replies).toMatchObject([gone]);
    expect((await send(author, 'PATCH', `/posts/${post}`, { title: 'Mine now' })).status).toBe(404);
  });

  test('text of an older renderer is rendered again', async () => {
    const post = await write(author, { content: '**a**' });
    await portal.db.query(`update forum_posts set html = '<script>', renderer = 0 where id = $1`, [post]);
    expect((await get(`/posts/${post}`)).body.html).toBe('<p><strong>a</strong></p>\n');
    const [row] = await portal.db.query('select html, renderer from forum_posts where id = $1', [post]);
    expect(row).toEqual({ html: '<p><strong>a</strong></p>\n', renderer: rendererVersion });
  });

  test('the first posts of an account may have two links each', async () => {
    const newcomer = await named('New');
    const body = {
      title: 'Buy',
      content: 'https://a.example https://b.example [c](https://c.example)',
      category: 'Bugs',
    };
    const refused = await send(newcomer, 'POST', '/posts', body);
    expect([refused.status, refused.body.code]).toEqual([400, 'forum.tooManyLinks']);
    const post = await write(newcomer);
    // A change is no way around it.
    expect((await send(newcomer, 'PATCH', `/posts/${post}`, { content: body.content })).status).toBe(400);
    await answerTo(newcomer, post, 'One');
    await answerTo(newcomer, post, 'Two');
    expect((await send(newcomer, 'POST', '/posts', body)).status).toBe(201);
  });

  test('posts of one account are limited per hour, and another account may go on', async () => {
    const busy = await named('Busy');
    for (let index = 0; index < limits.forumPostsPerHour; index += 1) await write(busy);
    const refused = await send(busy, 'POST', '/posts', { title: 'A', content: 'B', category: 'Bugs' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
    await write(await named('Calm'));
  });

  test('texts of one account have a total limit: shortening and deleting make room, and administrators may go on', async () => {
    const full = await named('Full');
    const long = await write(full, { content: 'A long text' });
    const answer = await answerTo(full, long, 'A reply');
    await portal.db.query('update forum_posts set html = repeat($2, $3) where id = $1', [
      long,
      'x',
      limits.forumBytesPerUser,
    ]);
    const post = { title: 'A', content: 'B', category: 'Bugs' };
    const own = `/posts/${long}/replies`;
    for (const [method, path, body] of [
      ['POST', '/posts', post],
      ['POST', own, { content: 'One more' }],
      ['PATCH', `${own}/${answer}`, { content: 'A longer reply' }],
    ] as const) {
      const refused = await send(full, method, path, body);
      expect([refused.status, refused.body.code]).toEqual([409, 'forum.full']);
    }
    expect((await send(full, 'PATCH', `${own}/${answer}`, { content: 'Short' })).status).toBe(200);
    await portal.db.query('update forum_posts set user_id = $2 where id = $1', [long, admin.userId]);
    await write(admin);
    await portal.db.query('update forum_posts set user_id = $2 where id = $1', [long, full.userId]);
    expect((await send(full, 'DELETE', `/posts/${long}`)).status).toBe(204);
    await write(full);
  });

  test('search finds all words, stems, parts of names, and the beginning of the last word', async () => {
    const id = await write(author, {
      title: 'Wallets disconnecting',
      content: 'eth_getBalance in node.js answers 429 for zebracorn',
    });
    for (const q of ['zebracorn', 'zebra', 'wallet zebracorn', 'disconnect zebra', 'node zebr', 'getBal']) {
      expect(idsOf(await get(`/posts?q=${encodeURIComponent(q)}`))).toEqual([id]);
    }
    for (const q of [
      'zebracorn unrelated',
      'corn',
      `zebracorn ' | !`,
      '& | ! : *',
      "'; drop table",
      '\u0000',
    ]) {
      const answer = await get(`/posts?q=${encodeURIComponent(q)}`);
      expect([q, answer.status]).toEqual([q, 200]);
      if (q.includes('unrelated') || q === 'corn') expect(idsOf(answer)).toEqual([]);
    }
    expect(idsOf(await get('/posts/similar?title=My%20wallets%20keep%20disconnecting'))[0]).toBe(id);
    expect(idsOf(await get('/posts/similar?title=%26%20%7C'))).toEqual([]);
  });

  test.each(['newest', 'active', 'unanswered'])(
    'pages by %s go forth and back without gaps',
    async (sort) => {
      const writer = await named('Writer');
      const ids: string[] = [];
      for (let index = 0; index < 7; index += 1) ids.push(await write(writer, { category: 'Showcase' }));
      // One time for all: the id decides.
      await portal.db.query(
        `update forum_posts set updated_at = date_trunc('milliseconds', now()) where user_id = $1`,
        [writer.userId],
      );
      const page = async (cursor: string) =>
        (await get(`/posts?sort=${sort}&author=${writer.userId}&limit=3${cursor}`)).body;
      const pages = [await page('')];
      while (pages.at(-1).next !== null) pages.push(await page(`&after=${pages.at(-1).next}`));
      const read = (some: { posts: ForumPostSummary[] }[]) =>
        some.flatMap(({ posts }) => posts.map(({ id }) => id));
      expect(read(pages)).toEqual(ids.toReversed());
      expect(pages.map(({ previous }) => previous === null)).toEqual([true, false, false]);
      const back = await page(`&before=${pages[2].previous}`);
      expect(back.posts).toEqual(pages[1].posts);
      expect((await page(`&before=${back.previous}`)).posts).toEqual(pages[0].posts);
      expect((await page(`&before=${back.previous}`)).previous).toBeNull();
    },
  );

  test('a list is filtered by category, author and whether it is resolved', async () => {
    const writer = await named('Filter');
    const idea = await write(writer, { category: 'Ideas' });
    const bug = await write(writer, { category: 'Bugs' });
    await send(writer, 'POST', `/posts/${bug}/resolve`, { isResolved: true });
    const of = async (filter: string) => idsOf(await get(`/posts?author=${writer.userId}${filter}`));
    expect(await of('')).toEqual([bug, idea]);
    expect(await of('&category=Ideas')).toEqual([idea]);
    expect(await of('&resolved=true')).toEqual([bug]);
    expect(await of('&resolved=false')).toEqual([idea]);
    await answerTo(other, idea);
    expect(await of('&sort=unanswered')).toEqual([bug]);
    expect(await of('&sort=active')).toEqual([idea, bug]);
  });

  test.each(['category=x', 'author=1', 'sort=x', 'after=x', 'limit=0', 'limit=51', 'resolved=yes', 'x=1'])(
    'a list with %s is refused',
    async (query) => {
      expect((await get(`/posts?${query}`)).status).toBe(400);
    },
  );

  test('a cursor of another sort is refused', async () => {
    const id = newId();
    expect((await get(`/posts?sort=active&after=${id}`)).status).toBe(400);
    expect((await get(`/posts?after=1_${id}`)).status).toBe(400);
    expect((await get(`/posts?sort=active&after=99999999999999999_${id}`)).status).toBe(400);
    expect((await get(`/posts?after=${id}&before=${id}`)).status).toBe(400);
  });

  test('replies are paged oldest first, and a permalink opens the page that begins with its reply', async () => {
    const post = await write(author);
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push(await answerTo(other, post, `Reply ${index}`));
    const page = async (query: string) => {
      const { replies, next, previous } = (await get(`/posts/${post}/replies?limit=2${query}`)).body;
      return { ids: replies.map(({ id }: { id: string }) => id), next, previous };
    };
    const first = await page('');
    expect(first).toEqual({ ids: ids.slice(0, 2), next: ids[1], previous: null });
    const around = await page(`&around=${ids[3]}`);
    expect(around).toEqual({ ids: ids.slice(3), next: null, previous: ids[3] });
    expect((await page(`&before=${around.previous}`)).ids).toEqual(ids.slice(1, 3));
    expect((await page(`&after=${first.next}`)).ids).toEqual(ids.slice(2, 4));
    const unknown = await get(`/posts/${post}/replies?around=${newId()}`);
    expect(unknown.body.code).toBe('forum.replyNotFound');
  });

  test('a page of long replies has fewer of them, in both directions, and the pages have all', async () => {
    const post = await write(author);
    const ids = Array.from({ length: 12 }, () => newId()).sort();
    await portal.db.query(
      `insert into forum_replies (id, post_id, user_id, content, html, renderer)
         select id, $2, $3, 'x', repeat('a', case id when $5 then 2 else 1 end * 180000), $4 from unnest($1::uuid[]) id`,
      [ids, post, author.userId, rendererVersion, ids[4]],
    );
    for (const [direction, cursor] of [
      ['after', 'next'],
      ['before', 'previous'],
    ] as const) {
      const seen: string[] = [];
      let place = direction === 'after' ? '' : `&before=${newId()}`;
      for (;;) {
        const { body, text } = await get(`/posts/${post}/replies?limit=50${place}`);
        expect(text.length).toBeLessThan(limits.forumPageBytes + 10_000);
        const page = body.replies.map(({ id, fits }: { id: string; fits?: boolean }) => [id, fits]);
        seen.splice(direction === 'after' ? seen.length : 0, 0, ...page.map(([id]: [string]) => id));
        expect(page[0][1]).toBeUndefined();
        if (body[cursor] === null) break;
        place = `&${direction}=${body[cursor]}`;
      }
      expect(seen).toEqual(ids);
    }
  });

  test('only administrators with a proven email moderate', async () => {
    const post = await write(author);
    const reply = await answerTo(other, post);
    const unproven = await named('Unproven', 'someone@example.com');
    const reason = 'Off topic';
    for (const user of [author, other, unproven]) {
      for (const [method, path, body] of [
        ['POST', `/posts/${post}/moderate`, { isHidden: true, reason }],
        ['POST', `/posts/${post}/replies/${reply}/moderate`, { isHidden: true, reason }],
        ['GET', '/reports'],
        ['DELETE', `/reports/${newId()}`],
      ] as const) {
        const answer = await send(user, method, path, body);
        expect([answer.status, answer.body.code]).toEqual([403, 'forum.administratorRequired']);
      }
    }
    expect((await send(admin, 'GET', '/me')).body.isAdministrator).toBe(true);
    expect((await send(admin, 'POST', `/posts/${newId()}/moderate`, { isHidden: true, reason })).status).toBe(
      404,
    );
    expect((await send(admin, 'POST', `/posts/${post}/moderate`, { reason })).status).toBe(400);
    expect((await send(admin, 'POST', `/posts/${post}/moderate`, { isHidden: true })).status).toBe(400);
  });

  test('a wallet names an administrator once it is linked', async () => {
    const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const second = await startAnother({
      ...portal,
      environment: { ...portal.environment, ADMINISTRATORS: [wallet.toLowerCase()] },
    });
    try {
      const user = await named('Wallet');
      const isAdministrator = async () =>
        (await second.call('GET', '/api/forum/me', { token: user.token })).body.isAdministrator;
      expect(await isAdministrator()).toBe(false);
      await portal.db.query(
        `insert into linked_identities (id, user_id, provider, subject) values ($1, $2, 'wallet', $3)`,
        [newId(), user.userId, wallet],
      );
      expect(await isAdministrator()).toBe(true);
    } finally {
      await second.close();
    }
  });

  test('a hidden post shows only the reason, and is in no list', async () => {
    const post = await write(author, { title: 'Hideous', content: 'A secret zyxw' });
    await answerTo(other, post);
    const reason = 'Names a person';
    const moderate = (body: object) => send(admin, 'POST', `/posts/${post}/moderate`, { reason, ...body });
    expect((await moderate({ isHidden: true })).status).toBe(200);
    const shown = await get(`/posts/${post}`);
    expect(shown.body).toMatchObject({
      isHidden: true,
      moderationReason: reason,
      title: '',
      content: '',
      html: '',
    });
    expect(idsOf(await get('/posts?q=zyxw'))).toEqual([]);
    expect(idsOf(await get('/posts/similar?title=Hideous'))).toEqual([]);
    expect(idsOf(await get('/posts'))).not.toContain(post);
    expect((await get(`/posts/${post}/replies`)).body.replies).toEqual([]);
    expect((await send(author, 'PATCH', `/posts/${post}`, { title: 'Back' })).status).toBe(404);
    expect((await send(other, 'POST', `/posts/${post}/replies`, { content: 'x' })).status).toBe(404);
    await moderate({ isHidden: false });
    expect((await get(`/posts/${post}`)).body.title).toBe('Hideous');
  });

  test('a hidden reply shows only the reason', async () => {
    const post = await write(author);
    const reply = await answerTo(other, post, 'A secret');
    const path = `/posts/${post}/replies/${reply}`;
    await send(admin, 'POST', `${path}/moderate`, { isHidden: true, reason: 'Spam' });
    expect((await get(`/posts/${post}/replies`)).body.replies).toMatchObject([
      { isHidden: true, moderationReason: 'Spam', content: '', html: '' },
    ]);
    expect((await send(other, 'PATCH', path, { content: 'Back' })).status).toBe(404);
    expect(
      (await send(author, 'POST', `/posts/${post}/resolve`, { isResolved: true, acceptedReplyId: reply }))
        .status,
    ).toBe(404);
  });

  test('a locked post takes no replies or changes', async () => {
    const post = await write(author);
    const reply = await answerTo(author, post);
    await send(admin, 'POST', `/posts/${post}/moderate`, { isLocked: true, reason: 'Settled' });
    for (const [method, path, body] of [
      ['POST', `/posts/${post}/replies`, { content: 'More' }],
      ['PATCH', `/posts/${post}`, { title: 'More' }],
      ['POST', `/posts/${post}/resolve`, { isResolved: true }],
      ['PATCH', `/posts/${post}/replies/${reply}`, { content: 'More' }],
    ] as const) {
      const answer = await send(author, method, path, body);
      expect([answer.status, answer.body.code]).toEqual([409, 'forum.locked']);
    }
    expect((await get(`/posts/${post}`)).body).toMatchObject({ isLocked: true, moderationReason: 'Settled' });
  });

  test('a moved post is in its new category, and a pinned one above the first page', async () => {
    const post = await write(author, { category: 'Questions' });
    await write(author, { category: 'Ideas' });
    await send(admin, 'POST', `/posts/${post}/moderate`, {
      category: 'Ideas',
      isPinned: true,
      reason: 'Read this',
    });
    const { body } = await get('/posts?category=Ideas');
    expect(body.pinned).toMatchObject([{ id: post, isPinned: true, moderationReason: 'Read this' }]);
    expect(idsOf({ body } as Answer)).not.toContain(post);
    expect((await get('/posts?category=Questions')).body.pinned).toEqual([]);
    await send(admin, 'POST', `/posts/${post}/moderate`, { isPinned: false, reason: 'Old' });
    expect(idsOf(await get('/posts?category=Ideas'))).toContain(post);
  });

  test('reports reach the administrators gathered by what they are about, and close with what they saw', async () => {
    const post = await write(author, { content: 'Reported text' });
    const reply = await answerTo(author, post, 'Reported reply');
    const report = (body: object) => send(other, 'POST', `/posts/${post}/report`, body);
    for (let time = 0; time < 2; time += 1) expect((await report({ reason: 'Spam' })).status).toBe(204);
    expect((await report({ reason: 'Rude', replyId: reply })).status).toBe(204);
    expect((await report({ reason: 'Rude', replyId: newId() })).status).toBe(404);
    expect((await send(null, 'POST', `/posts/${post}/report`, { reason: 'Spam' })).status).toBe(401);
    const open = async () =>
      (await send(admin, 'GET', '/reports')).body.reports.filter(
        ({ postId }: { postId: string }) => postId === post,
      );
    expect((await send(admin, 'POST', `/posts/${post}/report`, { reason: 'Ads' })).status).toBe(204);
    const reports = await open();
    expect(reports).toMatchObject([
      {
        replyId: null,
        reasons: ['Ads', 'Spam'],
        reporters: 2,
        content: 'Reported text',
        category: 'Questions',
      },
      { replyId: reply, reasons: ['Rude'], reporters: 1, content: 'Reported reply', authorName: 'Ada' },
    ]);
    const close = (place: number) => send(admin, 'DELETE', `/reports/${reports[place].id}`);
    // A report that the administrator has not seen stays.
    expect((await send(author, 'POST', `/posts/${post}/report`, { reason: 'Late' })).status).toBe(204);
    expect((await close(0)).status).toBe(204);
    expect((await close(0)).status).toBe(404);
    expect(await open()).toMatchObject([{ reasons: ['Late'], reporters: 1 }, { replyId: reply }]);
    expect((await close(1)).status).toBe(204);
    expect(await open()).toMatchObject([{ reasons: ['Late'] }]);
  });

  test('hiding a post or a reply closes the reports about it, and locking does not', async () => {
    const post = await write(author);
    const reply = await answerTo(author, post);
    for (const replyId of [null, reply]) {
      const { status } = await send(other, 'POST', `/posts/${post}/report`, { reason: 'Spam', replyId });
      expect(status).toBe(204);
    }
    const open = async () =>
      (await send(admin, 'GET', '/reports')).body.reports
        .filter(({ postId }: { postId: string }) => postId === post)
        .map(({ replyId }: { replyId: string | null }) => replyId);
    await send(admin, 'POST', `/posts/${post}/moderate`, { isLocked: true, reason: 'Heated' });
    expect(await open()).toEqual([reply, null]);
    await send(admin, 'POST', `/posts/${post}/replies/${reply}/moderate`, { isHidden: true, reason: 'Spam' });
    expect(await open()).toEqual([null]);
    await send(admin, 'POST', `/posts/${post}/moderate`, { isHidden: true, reason: 'Spam' });
    expect(await open()).toEqual([]);
  });

  test('the preview shows what a post would', async () => {
    const { body } = await send(author, 'POST', '/preview', { content: '`a` <script>' });
    expect(body).toEqual({ html: '<p><code>a</code> &lt;script&gt;</p>\n' });
  });

  test('previews at once are rendered one after the other, with other work in between', async () => {
    const forum = portal.app.get(ForumService);
    const user = { id: author.userId } as User;
    const seen: string[] = [];
    const turn = () => {
      seen.push('turn');
      if (seen.filter((each) => each === 'preview').length < 5) setImmediate(turn);
    };
    setImmediate(turn);
    const preview = () => forum.preview(user, 'a').then(() => seen.push('preview'));
    await Promise.all(Array.from({ length: 5 }, preview));
    expect(seen.join(' ')).not.toContain('preview preview');
  });

  test('changes reach the pages that watch the community, on every instance', async () => {
    const second = await startAnother(portal);
    const watching = await openLive(second.url, { token: other.token });
    const local = await openLive(portal.url, { token: other.token });
    const absent = await openLive(portal.url, { token: other.token });
    const changes: ForumChange[] = [];
    const here: ForumChange[] = [];
    const none: ForumChange[] = [];
    watching.socket.on('forum.changed', (change) => changes.push(change));
    local.socket.on('forum.changed', (change) => here.push(change));
    absent.socket.on('forum.changed', (change) => none.push(change));
    watching.socket.emit('forum.watch', true);
    local.socket.emit('forum.watch', true);
    // Resumes are answered in order, so the server has read what came before.
    await Promise.all([watching.resume(0), local.resume(0), absent.resume(0)]);
    try {
      const post = await write(author);
      const reply = await answerTo(author, post);
      const expected = [
        { kind: 'posted', postId: post, replyId: null, category: 'Questions', replyCount: 0 },
        { kind: 'replied', postId: post, replyId: reply, category: 'Questions', replyCount: 1 },
      ];
      await until('both pages hear of both', () => changes.length === 2 && here.length === 2);
      expect([changes, here, none]).toEqual([expected, expected, []]);
    } finally {
      for (const live of [watching, local, absent]) live.close();
      await second.close();
    }
  });

  test('visitors learn what changed on every instance, without a session', async () => {
    const second = await startAnother(portal);
    const news = async (at: Pick<TestApp, 'call'>, after?: string) =>
      (await at.call('GET', `/api/forum/news${after === undefined ? '' : `?after=${after}`}`)).body;
    try {
      const [here, there] = [await news(portal), await news(second)];
      const post = await write(author);
      const mine = { kind: 'posted', postId: post, replyId: null, category: 'Questions', replyCount: 0 };
      expect((await news(portal, here.cursor)).changes).toEqual([mine]);
      await until('the other instance has heard', async () => {
        const { changes } = await news(second, there.cursor);
        return changes.some(({ postId }: ForumChange) => postId === post);
      });
      // A balancer may send the next request to the other instance.
      expect(await news(second, here.cursor)).toMatchObject({ changes: [], hasMissed: true });
      const { status } = await portal.call('GET', `/api/forum/news?after=${'x'.repeat(61)}`);
      expect(status).toBe(400);
    } finally {
      await second.close();
    }
  });
});
