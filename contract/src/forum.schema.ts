import { z } from 'zod';
import { limits } from './limits.js';
import { givenTime } from './time.schema.js';
import { checkName, hasControlCharacters } from './text.rule.js';
import { wholeNumber } from './whole.number.schema.js';

export const forumCategories = ['Questions', 'Bugs', 'Ideas', 'Showcase'] as const;
export type ForumCategory = (typeof forumCategories)[number];

/** The author's name of posts and replies whose account was deleted. */
export const deletedUserName = 'Deleted user';

/** `unanswered` are posts without replies, newest first; `active` is by the last reply. */
export const forumSorts = ['newest', 'unanswered', 'active'] as const;
export type ForumSort = (typeof forumSorts)[number];

const category = z.enum(forumCategories, `must be one of ${forumCategories.join(', ')}`);

const hasBidiMarks = (text: string): boolean => /[\u200e\u200f\u061c]/.test(text);

const line = (max: number) =>
  z
    .string()
    .meta({ maxLength: max })
    .transform((value, context) => {
      const checked = checkName(value, max);
      if (checked.ok) return checked.name;
      context.addIssue(
        {
          required: 'must not be empty',
          tooLong: `must have at most ${max} characters`,
          invisible: 'must not contain invisible or control characters',
        }[checked.code],
      );
      return z.NEVER;
    });

/** Markdown. Counted in code points. */
const markdown = z
  .string()
  .meta({ maxLength: limits.forumContentMaxCharacters })
  .overwrite((value) => value.replaceAll('\r\n', '\n').trim())
  .refine((value) => value !== '', 'must not be empty')
  .refine(
    (value) => [...value].length <= limits.forumContentMaxCharacters,
    `must have at most ${limits.forumContentMaxCharacters} characters`,
  )
  .refine(
    (value) => !hasControlCharacters(value) && !hasBidiMarks(value),
    'must not contain control characters',
  );

export const forumTitle = line(limits.forumTitleMaxCharacters);
export const forumContent = markdown;
const reason = line(limits.forumReasonMaxCharacters);

const cursor = z
  .string()
  .regex(/^(\d{1,17}_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a cursor of an earlier page')
  .optional();

/**
 * `GET /api/forum/posts`. `q` finds posts with all its words, the last one also as a prefix. `after` is the `next`, and
 * `before` the `previous` of a page with the same filter; send at most one.
 */
export const forumPostsQuery = z
  .strictObject({
    category: category.optional(),
    resolved: z.enum(['true', 'false'], 'must be true or false').optional(),
    author: z.uuid('must be a user id').optional(),
    q: z.string().max(limits.forumSearchMaxCharacters).optional(),
    sort: z.enum(forumSorts, `must be one of ${forumSorts.join(', ')}`).default('newest'),
    after: cursor,
    before: cursor,
    limit: wholeNumber(1, limits.forumRowsPerPageMax).default(limits.forumRowsPerPage),
  })
  .refine(({ after, before }) => after === undefined || before === undefined, {
    path: ['before'],
    message: 'must not be sent together with after',
  });
export type ForumPostsQuery = z.infer<typeof forumPostsQuery>;

/** `GET /api/forum/posts/similar`: the five posts whose titles share most words with one that is being typed. */
export const forumSimilarQuery = z.strictObject({
  title: z.string().max(limits.forumSearchMaxCharacters),
});
export type ForumSimilarQuery = z.infer<typeof forumSimilarQuery>;

const time = z.iso.datetime();

/**
 * A post. `userId` is null and `authorName` 'Deleted user' if the account was deleted. A hidden post has an empty
 * title, content and html, and is in no list. `moderationReason` is the reason of the last act of an administrator.
 * `updatedAt` is the time of the last change or reply.
 */
export const forumPost = z.object({
  id: z.uuid(),
  userId: z.uuid().nullable(),
  title: z.string(),
  /** Markdown as it was typed. */
  content: z.string(),
  category,
  isResolved: z.boolean(),
  createdAt: time,
  updatedAt: time,
  authorName: z.string(),
  /** The content as sanitised HTML. */
  html: z.string(),
  replyCount: z.number().int(),
  acceptedReplyId: z.uuid().nullable(),
  /** When the author last changed title or content. */
  editedAt: time.nullable(),
  isLocked: z.boolean(),
  isPinned: z.boolean(),
  isHidden: z.boolean(),
  moderationReason: z.string().nullable(),
});
export type ForumPost = z.infer<typeof forumPost>;

/** A post in a list: the beginning of its content as plain text, without the content itself. */
export const forumPostSummary = forumPost
  .omit({ content: true, html: true, isHidden: true })
  .extend({ excerpt: z.string() });
export type ForumPostSummary = z.infer<typeof forumPostSummary>;

/**
 * `next` and `previous` are null if there is nothing further that way. `pinned` is filled on a first page without
 * search, author and `resolved`; those pages leave pinned posts out of `posts`.
 */
export const forumPosts = z.object({
  pinned: z.array(forumPostSummary),
  posts: z.array(forumPostSummary),
  next: z.string().nullable(),
  previous: z.string().nullable(),
});
export type ForumPosts = z.infer<typeof forumPosts>;

export const forumSimilar = z.object({ posts: z.array(forumPostSummary) });
export type ForumSimilar = z.infer<typeof forumSimilar>;

/** A hidden reply has an empty content and html. */
export const forumReply = z.object({
  id: z.uuid(),
  postId: z.uuid(),
  userId: z.uuid().nullable(),
  content: z.string(),
  createdAt: time,
  authorName: z.string(),
  html: z.string(),
  editedAt: time.nullable(),
  isAccepted: z.boolean(),
  isHidden: z.boolean(),
  moderationReason: z.string().nullable(),
});
export type ForumReply = z.infer<typeof forumReply>;

/** Oldest first. `around` opens the page that begins with this reply, for permalinks. */
export const forumRepliesQuery = z
  .strictObject({
    after: cursor,
    before: cursor,
    around: z.uuid('must be the id of a reply').optional(),
    limit: wholeNumber(1, limits.forumRowsPerPageMax).default(limits.forumRowsPerPage),
  })
  .refine((query) => [query.after, query.before, query.around].filter(Boolean).length <= 1, {
    path: ['before'],
    message: 'must not be sent together with after or around',
  });
export type ForumRepliesQuery = z.infer<typeof forumRepliesQuery>;

export const forumReplies = z.object({
  replies: z.array(forumReply),
  next: z.string().nullable(),
  previous: z.string().nullable(),
});
export type ForumReplies = z.infer<typeof forumReplies>;

/** `POST /api/forum/posts`. A repetition within a minute returns the first post. */
export const newForumPost = z.strictObject({ title: forumTitle, content: markdown, category });
export type NewForumPost = z.infer<typeof newForumPost>;

/** The `editedAt` of the version that was read: if another is stored, the answer is 409. Without it, the last change wins. */
const readEditedAt = givenTime().nullable().optional();

/** `PATCH /api/forum/posts/:id`, by the author only; others get 404. A locked post can't be changed. */
export const changeForumPost = newForumPost
  .partial()
  .extend({ readEditedAt })
  .refine(
    ({ readEditedAt: _, ...fields }) => Object.keys(fields).length > 0,
    'must include a field to change',
  );
export type ChangeForumPost = z.infer<typeof changeForumPost>;

/** `POST /api/forum/posts/:id/replies`. */
export const newForumReply = z.strictObject({ content: markdown });
export type NewForumReply = z.infer<typeof newForumReply>;

/** `PATCH /api/forum/posts/:id/replies/:replyId`, by the author only. */
export const changeForumReply = newForumReply.extend({ readEditedAt });
export type ChangeForumReply = z.infer<typeof changeForumReply>;

/** `POST /api/forum/posts/:id/resolve`, by the author only. `acceptedReplyId` must be a visible reply to the post. */
export const resolveForumPost = z.strictObject({
  isResolved: z.boolean(),
  acceptedReplyId: z.uuid('must be the id of a reply').nullable().default(null),
});
export type ResolveForumPost = z.infer<typeof resolveForumPost>;

export const forumPreviewBody = z.strictObject({ content: markdown });
export type ForumPreviewBody = z.infer<typeof forumPreviewBody>;
export const forumPreview = z.object({ html: z.string() });
export type ForumPreview = z.infer<typeof forumPreview>;

/** `POST /api/forum/posts/:id/moderate`, by administrators. The reason is shown at the post. */
export const moderateForumPost = z
  .strictObject({
    isHidden: z.boolean().optional(),
    isLocked: z.boolean().optional(),
    isPinned: z.boolean().optional(),
    category: category.optional(),
    reason,
  })
  .refine((body) => Object.keys(body).length > 1, 'must include a field to change');
export type ModerateForumPost = z.infer<typeof moderateForumPost>;

/** `POST /api/forum/posts/:id/replies/:replyId/moderate`, by administrators. */
export const moderateForumReply = z.strictObject({ isHidden: z.boolean(), reason });
export type ModerateForumReply = z.infer<typeof moderateForumReply>;

/** `POST /api/forum/posts/:id/report`, by any signed-in user; `replyId` null reports the post itself. */
export const reportForumPost = z.strictObject({
  replyId: z.uuid('must be the id of a reply').nullable().default(null),
  reason,
});
export type ReportForumPost = z.infer<typeof reportForumPost>;

/**
 * What was reported, for administrators: a post, or its reply `replyId`, with all reports about it. `id` and `createdAt`
 * are of the newest report. `DELETE /api/forum/reports/:id` closes that report and those about the same text before it.
 */
export const forumReport = z.object({
  id: z.uuid(),
  postId: z.uuid(),
  replyId: z.uuid().nullable(),
  /** How many users reported it. */
  reporters: z.number().int(),
  /** The newest ones, newest first. */
  reasons: z.array(z.string()),
  createdAt: time,
  /** Of the post, as are `category`, `isLocked` and `isPinned`. */
  title: z.string(),
  category,
  isLocked: z.boolean(),
  isPinned: z.boolean(),
  /** The beginning of what was reported, as it was typed. */
  content: z.string(),
  /** Of what was reported. */
  authorName: z.string(),
});
export type ForumReport = z.infer<typeof forumReport>;

/** `GET /api/forum/reports`: the newest first. `hasMore` tells that older ones are left out. */
export const forumReports = z.object({ reports: z.array(forumReport), hasMore: z.boolean() });
export type ForumReports = z.infer<typeof forumReports>;

/** `GET /api/forum/me`: what the signed-in user may do. Without a display name, writing answers `forum.nameRequired`. */
export const forumMe = z.object({ canWrite: z.boolean(), isAdministrator: z.boolean() });
export type ForumMe = z.infer<typeof forumMe>;

/** `GET` and `PUT /api/forum/mail`: whether the user gets any mail about the community. */
export const forumMail = z.strictObject({ isOn: z.boolean() });
export type ForumMail = z.infer<typeof forumMail>;

/** `PUT /api/forum/posts/:id/mute`: whether the user gets no mail about this thread. */
export const forumMute = z.strictObject({ isMuted: z.boolean() });
export type ForumMute = z.infer<typeof forumMute>;

/** `GET` and `PUT /api/forum/posts/:id/mute`. Mail goes to those who follow a thread: who wrote in it, or muted it. */
export const forumThreadMail = z.object({ isFollowing: z.boolean(), isMuted: z.boolean() });
export type ForumThreadMail = z.infer<typeof forumThreadMail>;

/** `GET /api/forum/muted`: the threads that the user has muted, the newest first. A hidden post has no title. */
export const forumMuted = z.object({ threads: z.array(z.object({ postId: z.uuid(), title: z.string() })) });
export type ForumMuted = z.infer<typeof forumMuted>;

/** Why open pages of the community read a post again. */
export const forumChanges = ['posted', 'replied', 'changed', 'removed'] as const;

/** `forum.changed` of the live connection; sent after `forum.watch`. `replyId` names a reply that is new or changed. */
export const forumChange = z.object({
  kind: z.enum(forumChanges),
  postId: z.string(),
  replyId: z.string().nullable(),
  category,
  replyCount: z.number().int(),
});
export type ForumChange = z.infer<typeof forumChange>;

/** `GET /api/forum/news`. `after` is the cursor of the response before; without it, only a cursor is returned. */
export const forumNewsQuery = z.strictObject({ after: z.string().max(60, 'must be a cursor').optional() });
export type ForumNewsQuery = z.infer<typeof forumNewsQuery>;

/** What changed after the cursor, oldest first. `hasMissed`: the server no longer knows, so read everything again. */
export const forumNews = z.object({
  cursor: z.string(),
  changes: z.array(forumChange),
  hasMissed: z.boolean(),
});
export type ForumNews = z.infer<typeof forumNews>;

/** Who may change or delete a post or reply: its author. Administrators moderate instead. */
export const mayEditForum = (row: { userId: string | null }, userId: string | undefined): boolean =>
  userId !== undefined && row.userId === userId;

const link = /https?:\/\/|www\.|\]\(/gi;

/** How many links a text has, counted high: each URL and each Markdown link. */
export const countForumLinks = (content: string): number => content.match(link)?.length ?? 0;
