import { beforeEach, expect, test } from '@jest/globals';
import { somePost, someReport, someReply } from '@orange-id/contract/forum.fixture';
import { hostileTexts, scriptsInDocument } from '@orange-id/contract/hostile.text.fixture';
import type { ForumReport } from '@orange-id/contract/forum.schema';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { answerLive } from '../../testing/live.connection';
import { json, network, refusal } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

beforeEach(() => {
  network.use(http.get('/api/forum/me', () => json({ canWrite: true, isAdministrator: true })));
});

/** A server that keeps these reports, and what it was sent. */
function keepReports(reports: ForumReport[]) {
  const sent: unknown[] = [];
  const close = (about: (report: ForumReport) => boolean) => {
    const place = reports.findIndex(about);
    if (place >= 0) reports.splice(place, 1);
    return place >= 0;
  };
  network.use(
    http.get('/api/forum/reports', () => json({ reports, hasMore: false })),
    http.delete('/api/forum/reports/:id', ({ params }) =>
      close(({ id }) => id === params.id)
        ? new HttpResponse(null, { status: 204 })
        : refusal(404, 'Report not found', 'forum.reportNotFound'),
    ),
    http.post('/api/forum/posts/:postId/moderate', async ({ params, request }) => {
      const body = (await request.json()) as { isHidden?: boolean; isLocked?: boolean };
      sent.push(body);
      if (body.isHidden) close(({ postId, replyId }) => postId === params.postId && replyId === null);
      else reports.forEach((report) => Object.assign(report, body));
      return json({});
    }),
    http.post('/api/forum/posts/:postId/replies/:replyId/moderate', async ({ params, request }) => {
      sent.push(await request.json());
      close(({ replyId }) => replyId === params.replyId);
      return json({});
    }),
  );
  return sent;
}

const post = somePost(1);
const reply = someReply(post.id, 1);
const aboutPost = (changes: Partial<ForumReport> = {}) => someReport(1, { postId: post.id, ...changes });
const aboutReply = () =>
  someReport(2, {
    postId: post.id,
    replyId: reply.id,
    reasons: ['Rude'],
    content: 'Rude words',
    authorName: 'Sam',
  });

const rows = () =>
  within(screen.getByRole('list', { name: 'Reports' }))
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));

test('an administrator opens the reports from the community, which shows how many there are', async () => {
  keepReports([
    aboutPost({ reasons: ['Advertising', 'Spam'], reporters: 7, content: 'Buy **now**' }),
    aboutReply(),
  ]);
  const { user } = openPortal('/community');
  await user.click(await screen.findByRole('link', { name: 'Reports (2)' }));
  const list = within(await screen.findByRole('list', { name: 'Reports' }));
  expect(rows()).toEqual([`/community/posts/${post.id}`, `/community/posts/${post.id}#reply-${reply.id}`]);
  for (const text of [
    'Advertising',
    'Spam',
    'Rude',
    '7 reports',
    '1 report',
    'Buy **now**',
    'Rude words',
    'by Sam',
  ])
    expect(list.getByText(text)).toBeInTheDocument();
});

test.each(['developer', 'visitor'] as const)('the community of a %s has no link to reports', async (as) => {
  network.use(http.get('/api/forum/me', () => json({ canWrite: true, isAdministrator: false })));
  openPortal('/community', { as });
  await screen.findByText('No posts yet');
  expect(screen.queryByRole('link', { name: /^Reports/ })).not.toBeInTheDocument();
});

test('the reports’ path is an unknown page for other users, and requests nothing', async () => {
  network.use(http.get('/api/forum/me', () => json({ canWrite: true, isAdministrator: false })));
  openPortal('/community/reports');
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeInTheDocument();
  await waitFor(() => expect(document.title).toMatch(/^Page Not Found/));
});

test('a visitor signs in before the reports are shown', async () => {
  const { address } = openPortal('/community/reports', { as: 'visitor' });
  await waitFor(() => expect(address()).toBe('/login'));
});

test('more reports than the list shows are counted and announced as such', async () => {
  network.use(http.get('/api/forum/reports', () => json({ reports: [aboutPost()], hasMore: true })));
  const { user } = openPortal('/community');
  await user.click(await screen.findByRole('link', { name: 'Reports (1+)' }));
  expect(await screen.findByText('Older reports are listed once these are dealt with.')).toBeInTheDocument();
});

test('a failed check for administrators says so, and Retry repeats it', async () => {
  keepReports([]);
  network.use(http.get('/api/forum/me', () => new HttpResponse('no', { status: 500 }), { once: true }));
  const { user } = openPortal('/community/reports');
  expect(await screen.findByText('Failed to check whether you are an administrator')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No reports')).toBeInTheDocument();
});

test('a report is dismissed by keyboard, and the focus moves to the next one', async () => {
  const sent = keepReports([aboutPost(), aboutReply()]);
  const { user } = openPortal('/community/reports');
  const dismiss = await screen.findByRole('button', { name: `Dismiss reports about post ${post.title}` });
  dismiss.focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(screen.getByRole('button', { name: 'Hide reply by Sam' })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Dismiss reports about reply by Sam' }));
  expect(await screen.findByText('No reports')).toBeInTheDocument();
  expect(sent).toEqual([]);
});

test('a report that another administrator has closed is dismissed without an error', async () => {
  const reports = [aboutPost()];
  keepReports(reports);
  const { user } = openPortal('/community/reports');
  const dismiss = await screen.findByRole('button', { name: /^Dismiss/ });
  reports.pop();
  await user.click(dismiss);
  expect(await screen.findByText('No reports')).toBeInTheDocument();
  expect(screen.queryByText('Failed to dismiss')).not.toBeInTheDocument();
});

test('a failed dismissal says so and keeps the report', async () => {
  keepReports([aboutPost()]);
  network.use(http.delete('/api/forum/reports/:id', () => refusal(503, 'x')));
  const { user } = openPortal('/community/reports');
  await user.click(await screen.findByRole('button', { name: /^Dismiss/ }));
  expect(await screen.findByText('Failed to dismiss')).toBeInTheDocument();
  expect(rows()).toHaveLength(1);
});

test('a reported reply is hidden with a reason, which ends its reports', async () => {
  const sent = keepReports([aboutReply(), aboutPost()]);
  const { user } = openPortal('/community/reports');
  await user.click(await screen.findByRole('button', { name: 'Hide reply by Sam' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Hide reply' }));
  const reason = dialog.getByRole('textbox', { name: 'Reason' });
  await waitFor(() => expect(reason).toHaveFocus());
  await user.click(dialog.getByRole('button', { name: 'Hide' }));
  await waitFor(() => expect(reason).toHaveAccessibleDescription('Reason must not be empty'));
  await user.type(reason, 'Rude');
  await user.click(dialog.getByRole('button', { name: 'Hide' }));
  await waitFor(() => expect(rows()).toEqual([`/community/posts/${post.id}`]));
  expect(sent).toEqual([{ isHidden: true, reason: 'Rude' }]);
  expect(screen.getByRole('button', { name: `Hide post ${post.title}` })).toHaveFocus();
});

test('the post of a report is locked and unlocked with a reason, and the report stays', async () => {
  const sent = keepReports([aboutPost()]);
  const { user } = openPortal('/community/reports');
  for (const act of ['Lock', 'Unlock']) {
    await user.click(await screen.findByRole('button', { name: `${act} post ${post.title}` }));
    const dialog = within(await screen.findByRole('dialog', { name: `${act} post` }));
    await user.type(dialog.getByRole('textbox', { name: 'Reason' }), act);
    await user.click(dialog.getByRole('button', { name: act }));
  }
  expect(await screen.findByRole('button', { name: `Lock post ${post.title}` })).toBeInTheDocument();
  expect(sent).toEqual([
    { isLocked: true, reason: 'Lock' },
    { isLocked: false, reason: 'Unlock' },
  ]);
});

test('a post that was deleted meanwhile can’t be hidden, and its report goes', async () => {
  const reports = [aboutPost()];
  keepReports(reports);
  network.use(
    http.post('/api/forum/posts/:id/moderate', () => refusal(404, 'Post not found', 'forum.postNotFound')),
  );
  const { user } = openPortal('/community/reports');
  await user.click(await screen.findByRole('button', { name: /^Hide/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Hide post' }));
  reports.pop();
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Spam');
  await user.click(dialog.getByRole('button', { name: 'Hide' }));
  expect(await dialog.findByText('Failed to save: Post not found.')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('No reports')).toBeInTheDocument();
});

test('reports are read again when something changes in the community', async () => {
  const reports = [aboutPost()];
  keepReports(reports);
  const { say } = answerLive();
  const { machine } = openPortal('/community/reports');
  await screen.findByRole('button', { name: /^Dismiss/ });
  await machine('realtime').is('live');
  reports.pop();
  act(() =>
    say('forum.changed', {
      kind: 'removed',
      postId: post.id,
      replyId: null,
      category: 'Questions',
      replyCount: 0,
    }),
  );
  expect(await screen.findByText('No reports')).toBeInTheDocument();
});

test('hostile text in a report runs nothing', async () => {
  const all = hostileTexts.join(' ');
  keepReports([aboutPost({ title: all, content: all, authorName: all, reasons: [...hostileTexts] })]);
  openPortal('/community/reports');
  await screen.findByRole('button', { name: /^Dismiss/ });
  expect(scriptsInDocument()).toEqual([]);
});
