import { expect, jest, test } from '@jest/globals';
import { hostileTexts, scriptsInDocument } from '@orange-id/contract/hostile.text.fixture';
import { somePost, someReply } from '@orange-id/contract/forum.fixture';
import type { ForumChange, ForumPost, ForumReply } from '@orange-id/contract/forum.schema';
import { limits } from '@orange-id/contract/limits';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { answerLive } from '../../testing/live.connection';
import { json, network, refusal, silence, someone } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';
import { rendered } from '../../testing/turn.channel';

const myId = 'a0000000-0000-7000-8000-000000000009';

/** A server that keeps these posts and replies. */
function keepForum(posts: ForumPost[], replies: ForumReply[] = []) {
  const queries: string[] = [];
  const sent: unknown[] = [];
  network.use(
    http.get('/api/v1/auth/user', () => json({ ...someone, id: myId })),
    http.get('/api/forum/posts', ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      queries.push(search);
      const q = searchParams.get('q') ?? '';
      const found = posts.filter(
        ({ title, category }) => title.includes(q) && category === (searchParams.get('category') ?? category),
      );
      const listed = found.map(({ content, html: _, isHidden: __, ...post }) => ({
        ...post,
        excerpt: content,
      }));
      return json({ pinned: [], posts: listed, next: null, previous: null });
    }),
    http.post('/api/forum/posts', async ({ request }) => {
      const body = (await request.json()) as Pick<ForumPost, 'title' | 'content' | 'category'>;
      sent.push(body);
      const post = somePost(99, { ...body, userId: myId, html: `<p>${body.content}</p>` });
      posts.unshift(post);
      return json(post, 201);
    }),
    http.get('/api/forum/posts/:id', ({ params }) => {
      const post = posts.find(({ id }) => id === params.id);
      return post ? json(post) : refusal(404, 'Post not found', 'forum.postNotFound');
    }),
    http.delete('/api/forum/posts/:id', ({ params }) => {
      posts.splice(
        posts.findIndex(({ id }) => id === params.id),
        1,
      );
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('/api/forum/posts/:id/replies', () => json({ replies, next: null, previous: null })),
    http.post('/api/forum/posts/:id/replies', async ({ params, request }) => {
      const { content } = (await request.json()) as { content: string };
      sent.push(content);
      const reply = someReply(String(params.id), 99, { content, html: `<p>${content}</p>`, userId: myId });
      replies.push(reply);
      return json(reply, 201);
    }),
    http.post('/api/forum/posts/:id/:act', async ({ params, request }) => {
      const body = await request.json();
      sent.push({ act: params.act, body });
      if (params.act === 'resolve') {
        const { isResolved, acceptedReplyId } = body as Pick<ForumPost, 'isResolved' | 'acceptedReplyId'>;
        posts.forEach((post) => Object.assign(post, { isResolved, acceptedReplyId }));
        replies.forEach((reply) => Object.assign(reply, { isAccepted: reply.id === acceptedReplyId }));
      }
      return json({});
    }),
  );
  return { posts, replies, queries, sent };
}

const rows = () => within(screen.getByRole('list', { name: 'Posts' })).getAllByRole('listitem');
const button = (name: string | RegExp) => screen.getByRole('button', { name });

test('the list is filtered by category and text, which are in the URL, and an empty result can be cleared', async () => {
  const { queries } = keepForum([somePost(1), somePost(2, { category: 'Bugs', title: 'Login fails' })]);
  const { user, address } = openPortal('/community', { as: 'visitor' });
  await screen.findByRole('link', { name: 'Post 1' });
  expect(rows()).toHaveLength(2);
  await user.click(button('Bugs'));
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(address()).toBe('/community?category=Bugs');
  await user.type(screen.getByRole('searchbox', { name: 'Search posts' }), 'nothing');
  expect(await screen.findByText('No post matches')).toBeInTheDocument();
  expect(address()).toBe('/community?category=Bugs&q=nothing');
  // One request for the text, not one per key.
  expect(queries.filter((query) => query.includes('q='))).toHaveLength(1);
  await user.click(button('Show all posts'));
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(screen.getByRole('searchbox', { name: 'Search posts' })).toHaveValue('');
});

test('a list that fails to load says so, and Retry loads it', async () => {
  network.use(http.get('/api/forum/posts', () => new HttpResponse('no', { status: 500 }), { once: true }));
  const { user } = openPortal('/community', { as: 'visitor' });
  expect(await screen.findByText('Failed to load posts')).toBeInTheDocument();
  await user.click(button('Retry'));
  expect(await screen.findByText('No posts yet')).toBeInTheDocument();
});

test('new posts of others are counted and shown on request', async () => {
  const { posts } = keepForum([somePost(1)]);
  const { say } = answerLive();
  const { user, machine } = openPortal('/community');
  await screen.findByRole('link', { name: 'Post 1' });
  await machine('realtime').is('live');
  const change = { kind: 'posted', replyId: null, category: 'Questions', replyCount: 0 } as const;
  posts.unshift(somePost(2));
  act(() => say('forum.changed', { ...change, postId: somePost(2).id }));
  const show = await screen.findByRole('button', { name: '1 new post' });
  expect(rows()).toHaveLength(1);
  await user.click(show);
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(screen.queryByRole('button', { name: /new post/ })).not.toBeInTheDocument();
});

/** A server that tells visitors of these changes at their next request, whose time comes at once. */
function answerNews() {
  let count = 0;
  const changes: ForumChange[] = [];
  let hasMissed = false;
  network.use(
    http.get('/api/forum/news', ({ request }) => {
      const isFirst = !new URL(request.url).searchParams.has('after');
      count += 1;
      const told = isFirst ? [] : changes.splice(0);
      return json({ cursor: `one_${count}`, changes: told, hasMissed: !isFirst && hasMissed });
    }),
  );
  const intervals = jest.spyOn(window, 'setInterval');
  const pass = () =>
    act(() => intervals.mock.calls.findLast(([, ms]) => ms === limits.forumNewsEveryMs)?.[0]());
  return {
    asked: () => count,
    /** Waits until the page has a cursor. */
    first: async () => {
      await waitFor(() => expect(count).toBe(1));
      await rendered();
    },
    say: (change: Pick<ForumChange, 'kind' | 'postId'> & Partial<ForumChange>) => {
      changes.push({ replyId: null, category: 'Questions', replyCount: 0, ...change });
      pass();
    },
    miss: () => {
      hasMissed = true;
      pass();
    },
  };
}

test('a visitor is told of new posts and replies without a session, and sees what was changed or removed', async () => {
  const { posts } = keepForum([somePost(1)]);
  const news = answerNews();
  const { user } = openPortal('/community', { as: 'visitor' });
  await screen.findByRole('link', { name: 'Post 1' });
  await news.first();
  posts.unshift(somePost(2));
  news.say({ kind: 'posted', postId: somePost(2).id });
  await user.click(await screen.findByRole('button', { name: '1 new post' }));
  await waitFor(() => expect(rows()).toHaveLength(2));
  news.say({ kind: 'replied', postId: somePost(1).id, replyCount: 7 });
  expect(await screen.findByText('7')).toBeInTheDocument();
  // A post that is gone again is not announced any more.
  news.say({ kind: 'posted', postId: somePost(3).id });
  await screen.findByRole('button', { name: '1 new post' });
  posts.shift();
  news.say({ kind: 'removed', postId: somePost(3).id });
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(screen.queryByRole('button', { name: /new post/ })).not.toBeInTheDocument();
});

test('a visitor sees new replies to a post on request, and everything again after missing changes', async () => {
  const post = somePost(1);
  const { replies } = keepForum([post]);
  const news = answerNews();
  const { user } = openPortal(`/community/posts/${post.id}`, { as: 'visitor' });
  await screen.findByText('No replies yet');
  await news.first();
  replies.push(someReply(post.id, 1));
  news.say({ kind: 'replied', postId: post.id, replyId: someReply(post.id, 1).id, replyCount: 1 });
  await user.click(await screen.findByRole('button', { name: '1 new reply' }));
  expect(await screen.findByRole('article', { name: 'Reply by Sam' })).toBeInTheDocument();
  Object.assign(post, { title: 'Another title' });
  news.miss();
  expect(await screen.findByRole('heading', { level: 1, name: 'Another title' })).toBeInTheDocument();
});

test('a user follows the community by the live connection and asks for no news', async () => {
  keepForum([somePost(1)]);
  const news = answerNews();
  openPortal('/community');
  await screen.findByRole('link', { name: 'Post 1' });
  expect(news.asked()).toBe(0);
});

test('a post needs a title and content, is published and opened, and its draft survives a reload until then', async () => {
  const { sent } = keepForum([]);
  const first = openPortal('/community/new');
  await waitFor(() => expect(button('Publish')).toBeEnabled());
  await first.user.click(button('Publish'));
  const title = () => screen.getByRole('textbox', { name: 'Title' });
  await waitFor(() => expect(title()).toHaveAccessibleDescription('Enter a title.'));
  expect(title()).toHaveFocus();
  await first.user.type(title(), 'Which chains?');
  await first.user.click(button('Publish'));
  expect(screen.getByRole('textbox', { name: 'Content' })).toHaveFocus();
  first.close();

  const { user, address } = openPortal('/community/new');
  await waitFor(() => expect(title()).toHaveValue('Which chains?'));
  await user.type(screen.getByRole('textbox', { name: 'Content' }), 'Is Base supported?');
  await waitFor(() => expect(button('Publish')).toBeEnabled());
  await user.click(button('Publish'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Which chains?' })).toBeInTheDocument();
  expect(address()).toBe(`/community/posts/${somePost(99).id}`);
  expect(sent).toEqual([{ title: 'Which chains?', content: 'Is Base supported?', category: 'Questions' }]);
  expect(Object.keys(sessionStorage).join()).not.toContain('communityPostDraft');
});

test('a failed publication keeps what was typed and can be retried', async () => {
  keepForum([]);
  network.use(http.post('/api/forum/posts', () => refusal(503, 'x'), { once: true }));
  const { user } = openPortal('/community/new');
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Which chains?');
  await user.type(screen.getByRole('textbox', { name: 'Content' }), 'Is Base supported?');
  await waitFor(() => expect(button('Publish')).toBeEnabled());
  await user.click(button('Publish'));
  expect(await screen.findByText(/^Not published. The service is unavailable/)).toBeInTheDocument();
  await user.click(button('Publish'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Which chains?' })).toBeInTheDocument();
});

test('a visitor is asked to sign in, and what the visitor typed is there afterwards', async () => {
  keepForum([]);
  const visitor = openPortal('/community/new', { as: 'visitor' });
  await visitor.user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Typed before');
  expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
  expect(button('Publish')).toBeDisabled();
  visitor.close();
  openPortal('/community/new');
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Typed before'));
});

test('what a visitor typed becomes the draft of the user who signs in, and no other user of the tab sees it', async () => {
  keepForum([]);
  const title = () => screen.findByRole('textbox', { name: 'Title' });
  const visitor = openPortal('/community/new', { as: 'visitor' });
  await visitor.user.type(await title(), 'Typed before');
  visitor.close();
  const first = openPortal('/community/new');
  await waitFor(async () => expect(await title()).toHaveValue('Typed before'));
  first.close();
  network.use(http.get('/api/v1/auth/user', () => json({ ...someone, id: 'somebody-else' })));
  const second = openPortal('/community/new');
  await second.machine('session').is('signedIn.current');
  await waitFor(() => expect(button('Publish')).toBeEnabled());
  expect(await title()).toHaveValue('');
  second.close();
  network.use(http.get('/api/v1/auth/user', () => json({ ...someone, id: myId })));
  openPortal('/community/new');
  await waitFor(async () => expect(await title()).toHaveValue('Typed before'));
});

test('a user without a display name is told where to add one', async () => {
  keepForum([]);
  network.use(http.get('/api/forum/me', () => json({ canWrite: false, isAdministrator: false })));
  openPortal('/community/new');
  expect(await screen.findByRole('link', { name: 'Add yours in Settings' })).toHaveAttribute(
    'href',
    '/settings',
  );
  expect(button('Publish')).toBeDisabled();
});

test('posts with a similar title are offered, and an image that is pasted is refused with a reason', async () => {
  const { posts } = keepForum([somePost(1, { title: 'Login fails on Safari' })]);
  network.use(
    http.get('/api/forum/posts/similar', () =>
      json({
        posts: posts.map(({ content, html: _, isHidden: __, ...post }) => ({ ...post, excerpt: content })),
      }),
    ),
  );
  const { user } = openPortal('/community/new');
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Login fails');
  expect(await screen.findByRole('link', { name: 'Login fails on Safari' })).toBeInTheDocument();
  const content = screen.getByRole('textbox', { name: 'Content' });
  fireEvent.paste(content, {
    clipboardData: { files: [new File([''], 'a.png', { type: 'image/png' })], getData: () => '' },
  });
  await waitFor(() => expect(content).toHaveAccessibleDescription(/^Posts have no images/));
  await user.type(content, 'A text');
  expect(content).not.toHaveAccessibleDescription(/^Posts have no images/);
});

test('an empty category says so, and its first post begins in that category', async () => {
  keepForum([somePost(1)]);
  const { user, address } = openPortal('/community?category=Bugs');
  expect(await screen.findByText('No bugs yet')).toBeInTheDocument();
  const [, inList] = screen.getAllByRole('link', { name: 'New post' });
  await user.click(inList as HTMLElement);
  expect(address()).toBe('/community/new?category=Bugs');
  await screen.findByRole('heading', { name: 'New post' });
  expect(screen.getByText('Bugs')).toBeInTheDocument();
  const entry = within(screen.getByRole('navigation', { name: 'Portal' })).getByRole('link', {
    name: 'Community',
  });
  expect(entry).toHaveAttribute('aria-current', 'true');
});

test('a newer version of a post from another tab is replaced only on request', async () => {
  const post = somePost(1, { userId: myId, editedAt: '2026-01-02T03:10:00.000Z' });
  keepForum([post]);
  const sent: unknown[] = [];
  network.use(
    http.patch('/api/forum/posts/:id', async ({ request }) => {
      const body = (await request.json()) as { readEditedAt?: string };
      sent.push(body.readEditedAt);
      return body.readEditedAt === undefined
        ? json(Object.assign(post, { title: 'Mine', editedAt: '2026-01-02T03:12:00.000Z' }))
        : refusal(409, 'Changed', 'forum.changedElsewhere');
    }),
  );
  const { user } = openPortal(`/community/posts/${post.id}`);
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  await user.type(screen.getByRole('textbox', { name: 'Title' }), ' changed');
  await user.click(button('Save'));
  expect(await screen.findByText(/^Not saved. You changed this in another tab/)).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Post 1 changed');
  await user.click(button('Save anyway'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Mine' })).toBeInTheDocument();
  expect(sent).toEqual(['2026-01-02T03:10:00.000Z', undefined]);
});

test('a draft of a user whose session ends elsewhere is hidden and said to be kept', async () => {
  keepForum([]);
  const live = answerLive();
  const { user, machine } = openPortal('/community/new');
  await machine('realtime').is('live');
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Which chains?');
  network.use(
    http.get('/api/v1/auth/user', () => refusal(401, 'no')),
    http.post('/api/v1/auth/refresh', () => refusal(401, 'no')),
  );
  act(() => live.say('session.ended', { reason: 'signedOut' }));
  await machine('session').is('signedOut');
  expect(await screen.findByText('to continue your draft. It is saved in this tab.')).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('');
});

test('a link about a call fills in the call, without its query, and shows it before it is published', async () => {
  keepForum([]);
  const call = { method: 'GET', endpoint: '/api/v1/tokens?x=secret', status: '404', error: 'token.notFound' };
  openPortal(`/community/new?${new URLSearchParams({ ...call, at: '2026-01-02T03:04:05Z' })}`);
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue(
      'GET /api/v1/tokens returns 404 (token.notFound)',
    ),
  );
  const content = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Content' }).value;
  expect(content).toContain('Call: GET /api/v1/tokens\nStatus: 404\nError code: token.notFound');
  expect(content).not.toContain('secret');
});

test('a reply is published below the others, and a link to a reply marks it', async () => {
  const post = somePost(1, { replyCount: 1 });
  const reply = someReply(post.id, 1);
  const { sent } = keepForum([post], [reply]);
  Element.prototype.scrollIntoView = () => undefined;
  const { user } = openPortal(`/community/posts/${post.id}#reply-${reply.id}`);
  const shown = await screen.findByRole('article', { name: 'Reply by Sam' });
  expect(shown).toHaveAttribute('data-named');
  const field = screen.getByRole('textbox', { name: 'Your reply' });
  await waitFor(() => expect(button('Reply')).toBeEnabled());
  await user.click(button('Reply'));
  await waitFor(() => expect(field).toHaveAccessibleDescription('Enter some text.'));
  await user.type(field, 'It works for me');
  await user.click(button('Reply'));
  expect(await screen.findByText('It works for me', { selector: 'p' })).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Your reply' })).toHaveValue('');
  expect(sent).toEqual(['It works for me']);
});

test('the author accepts an answer and deletes the post after confirmation; others see neither', async () => {
  const post = somePost(1, { userId: myId, replyCount: 1 });
  const { sent } = keepForum([post], [someReply(post.id, 1)]);
  const { user, address, machine } = openPortal(`/community/posts/${post.id}`);
  await user.click(await screen.findByRole('button', { name: 'Accept as answer' }));
  expect(await screen.findByText('Accepted answer')).toBeInTheDocument();
  expect(sent).toEqual([
    { act: 'resolve', body: { isResolved: true, acceptedReplyId: someReply(post.id, 1).id } },
  ]);
  await user.click(button('Delete'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete post' }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await machine('deletePost').is('succeeded');
  await waitFor(() => expect(address()).toBe('/community'));
});

test('a reader who is not the author can report a post with a reason, and has no other button', async () => {
  const post = somePost(1);
  const { sent } = keepForum([post]);
  const { user } = openPortal(`/community/posts/${post.id}`);
  await user.click(await screen.findByRole('button', { name: 'Report' }));
  for (const name of ['Edit', 'Delete', 'Mark as resolved', 'Moderate'])
    expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
  const dialog = within(await screen.findByRole('dialog', { name: 'Report post' }));
  await user.click(dialog.getByRole('button', { name: 'Report' }));
  const reason = dialog.getByRole('textbox', { name: 'Reason' });
  await waitFor(() => expect(reason).toHaveAccessibleDescription('Reason must not be empty'));
  await user.type(reason, 'Advertising');
  await user.click(dialog.getByRole('button', { name: 'Report' }));
  await waitFor(() =>
    expect(sent).toEqual([{ act: 'report', body: { replyId: null, reason: 'Advertising' } }]),
  );
});

test('a participant mutes the email about a thread and ends that again; others have no such button', async () => {
  const post = somePost(1);
  keepForum([post]);
  let state = { isFollowing: false, isMuted: false };
  network.use(
    http.get('/api/forum/posts/:id/mute', () => json(state)),
    http.put('/api/forum/posts/:id/mute', async ({ request }) => {
      state = { ...state, ...((await request.json()) as object) };
      return json(state);
    }),
  );
  const { user } = openPortal(`/community/posts/${post.id}`);
  await screen.findByRole('button', { name: 'Report' });
  expect(screen.queryByRole('button', { name: /mute email$/i })).not.toBeInTheDocument();
  state.isFollowing = true;
  await user.type(screen.getByRole('textbox', { name: 'Your reply' }), 'It works for me');
  await waitFor(() => expect(button('Reply')).toBeEnabled());
  await user.click(button('Reply'));
  await user.click(await screen.findByRole('button', { name: 'Mute thread' }));
  expect(await screen.findByRole('button', { name: 'Unmute thread' })).toHaveFocus();
  await user.click(button('Unmute thread'));
  expect(await screen.findByRole('button', { name: 'Mute thread' })).toBeInTheDocument();
  expect(state).toEqual({ isFollowing: true, isMuted: false });
});

test('an administrator locks a post with a reason, which readers see', async () => {
  const post = somePost(1);
  const { sent } = keepForum([post]);
  network.use(http.get('/api/forum/me', () => json({ canWrite: true, isAdministrator: true })));
  const { user } = openPortal(`/community/posts/${post.id}`);
  await user.click(await screen.findByRole('button', { name: 'Moderate' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Moderate post' }));
  await user.click(dialog.getByRole('checkbox', { name: /^Locked/ }));
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Answered elsewhere');
  Object.assign(post, { isLocked: true, moderationReason: 'Answered elsewhere' });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('An administrator changed this: Answered elsewhere')).toBeInTheDocument();
  expect(screen.queryByRole('textbox', { name: 'Your reply' })).not.toBeInTheDocument();
  expect(sent).toEqual([
    {
      act: 'moderate',
      body: {
        isHidden: false,
        isLocked: true,
        isPinned: false,
        category: 'Questions',
        reason: 'Answered elsewhere',
      },
    },
  ]);
});

test('a post that does not exist says so', async () => {
  keepForum([]);
  openPortal(`/community/posts/${somePost(1).id}`, { as: 'visitor' });
  expect(await screen.findByRole('heading', { name: 'Post not found' })).toBeInTheDocument();
});

test('hostile HTML in a post is inserted without anything that runs, loads or looks like the portal', async () => {
  const html = [
    ...hostileTexts,
    '<p class="page-head" id="root" style="position:fixed" onclick="__ran()">styled</p>',
    '<img src=x onerror=__ran()><iframe src="/x"></iframe><form action="/x"><input></form>',
    '<a href="javascript:__ran()">script</a><a href="//evil.example">elsewhere</a>',
    '<pre><code class="language-js evil">const a = 1;</code></pre>',
    '<svg><script>__ran()</script></svg><math><mtext><style><img src=x onerror=__ran()></style></mtext></math>',
  ].join('');
  const post = somePost(1, { html, title: hostileTexts.join(' ') });
  keepForum([post]);
  openPortal(`/community/posts/${post.id}`, { as: 'visitor' });
  const article = await screen.findByRole('article');
  const text = within(article).getByText('styled');
  expect([...text.attributes]).toEqual([]);
  expect(
    article.querySelectorAll('img, iframe, form, input, style, script, svg:not([data-icon]), math'),
  ).toHaveLength(0);
  for (const link of article.querySelectorAll('a'))
    expect(link.getAttribute('href') ?? '').not.toMatch(/^(javascript|\/\/)/);
  expect(within(article).getByText('const a = 1;')).toBeInTheDocument();
  expect(within(article).getByText('js')).toBeInTheDocument();
  expect(scriptsInDocument()).toEqual([]);
});

test('headings of posts and replies follow those of the page without a gap', async () => {
  const html = '<h4>One</h4><h6>Two</h6><h6>Three</h6><h3>Four</h3><h5><em>Five</em></h5>';
  const post = somePost(1, { html });
  keepForum([post], [someReply(post.id, 1, { html })]);
  openPortal(`/community/posts/${post.id}`, { as: 'visitor' });
  await screen.findByRole('article', { name: 'Reply by Sam' });
  const levelsIn = (name: string) =>
    within(screen.getByRole('article', { name }))
      .getAllByRole('heading')
      .map((heading) => heading.nodeName + heading.textContent);
  expect(levelsIn(post.title)).toEqual(['H1Post 1', 'H2One', 'H3Two', 'H3Three', 'H2Four', 'H3Five']);
  expect(levelsIn('Reply by Sam')).toEqual(['H3One', 'H4Two', 'H4Three', 'H3Four', 'H4Five']);
});

test('quick search finds posts while a user types, and opens one', async () => {
  const post = somePost(1, { title: 'Login fails on Safari' });
  keepForum([post]);
  const { user, address } = openPortal('/community');
  await screen.findByRole('link', { name: post.title });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: /^Search pages/ }), 'Safari');
  await user.click(await screen.findByRole('option', { name: /^Login fails on Safari/ }));
  expect(await screen.findByRole('heading', { level: 1, name: post.title })).toBeInTheDocument();
  expect(address()).toBe(`/community/posts/${post.id}`);
});

test('a call in Usage leads to a post about it without its key, origin and path', async () => {
  const row = usageRowOf(7, {
    ...({ method: 'GET', endpoint: '/api/v1/tokens/:id', statusCode: 404, outcome: 'error' } as const),
    origin: 'https://app.example.com',
    path: '/api/v1/tokens/0x12',
    errorCode: 'token.notFound',
  });
  network.use(http.get('/api/usage', () => json({ rows: [row], next: null })));
  network.use(
    http.get('/api/analytics/metrics', silence),
    http.get('/api/usage/keys', () => json([])),
  );
  openPortal('/usage?call=7');
  const ask = await screen.findByRole('link', { name: 'Ask about this call' });
  const { pathname, searchParams } = new URL(ask.getAttribute('href') ?? '', 'http://localhost');
  expect([pathname, Object.fromEntries(searchParams)]).toEqual([
    '/community/new',
    {
      method: 'GET',
      endpoint: '/api/v1/tokens/:id',
      status: '404',
      error: 'token.notFound',
      at: row.timestamp,
    },
  ]);
  expect(screen.getByRole('link', { name: 'Search the community' })).toHaveAttribute(
    'href',
    '/community?q=token.notFound',
  );
});
