import type { ForumPost, ForumReply, ForumReport } from './forum.schema.js';

const id = (place: number) => `0199a000-0000-7000-8000-${String(place).padStart(12, '0')}`;

/** A post for tests; `place` makes its id and title. */
export const somePost = (place: number, changes: Partial<ForumPost> = {}): ForumPost => ({
  id: id(place),
  userId: 'a0000000-0000-7000-8000-000000000001',
  title: `Post ${place}`,
  content: `Text ${place}`,
  html: `<p>Text ${place}</p>`,
  category: 'Questions',
  isResolved: false,
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-01-02T03:04:05.000Z',
  authorName: 'Robin',
  replyCount: 0,
  acceptedReplyId: null,
  editedAt: null,
  isLocked: false,
  isPinned: false,
  isHidden: false,
  moderationReason: null,
  ...changes,
});

/** A reply to `postId` for tests. */
export const someReply = (postId: string, place: number, changes: Partial<ForumReply> = {}): ForumReply => ({
  id: id(1000 + place),
  postId,
  userId: 'a0000000-0000-7000-8000-000000000002',
  content: `Reply ${place}`,
  html: `<p>Reply ${place}</p>`,
  createdAt: '2026-01-02T04:00:00.000Z',
  authorName: 'Sam',
  editedAt: null,
  isAccepted: false,
  isHidden: false,
  moderationReason: null,
  ...changes,
});

/** Reports about `Post 1` for tests. */
export const someReport = (place: number, changes: Partial<ForumReport> = {}): ForumReport => ({
  id: id(2000 + place),
  postId: id(1),
  replyId: null,
  reporters: 1,
  reasons: ['Spam'],
  createdAt: '2026-01-02T05:00:00.000Z',
  title: 'Post 1',
  category: 'Questions',
  isLocked: false,
  isPinned: false,
  content: 'Text 1',
  authorName: 'Robin',
  ...changes,
});
