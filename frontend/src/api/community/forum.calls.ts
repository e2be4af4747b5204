import {
  forumMail,
  forumMe,
  forumMuted,
  forumNews,
  forumPost,
  forumPosts,
  forumPreview,
  forumReplies,
  forumReply,
  forumReports,
  forumSimilar,
  forumThreadMail,
  type ChangeForumPost,
  type ChangeForumReply,
  type ForumMail,
  type ForumMe,
  type ForumMuted,
  type ForumNews,
  type ForumPost,
  type ForumPosts,
  type ForumPostsQuery,
  type ForumPreview,
  type ForumReplies,
  type ForumRepliesQuery,
  type ForumReply,
  type ForumReports,
  type ForumSimilar,
  type ForumThreadMail,
  type ModerateForumPost,
  type ModerateForumReply,
  type NewForumPost,
  type ReportForumPost,
  type ResolveForumPost,
} from '@orange-id/contract/forum.schema';
import { http } from '../http';
import { toQuery } from '../usage/get.usage';

const posts = '/api/forum/posts';
const postAt = (id: string) => `${posts}/${encodeURIComponent(id)}`;
const replyAt = (postId: string, id: string) => `${postAt(postId)}/replies/${encodeURIComponent(id)}`;

/** The calls of the community. Reading is public. Each throws what `http` throws. */
export const getPosts = (query: Partial<ForumPostsQuery>, signal?: AbortSignal): Promise<ForumPosts> =>
  http({ path: `${posts}?${toQuery(query)}`, schema: forumPosts, ...(signal && { signal }) });

export const getSimilar = (title: string, signal?: AbortSignal): Promise<ForumSimilar> =>
  http({ path: `${posts}/similar?${toQuery({ title })}`, schema: forumSimilar, ...(signal && { signal }) });

export const getPost = (id: string, signal?: AbortSignal): Promise<ForumPost> =>
  http({ path: postAt(id), schema: forumPost, ...(signal && { signal }) });

export const getReplies = (
  postId: string,
  query: Partial<ForumRepliesQuery>,
  signal?: AbortSignal,
): Promise<ForumReplies> =>
  http({
    path: `${postAt(postId)}/replies?${toQuery(query)}`,
    schema: forumReplies,
    ...(signal && { signal }),
  });

export const getForumNews = (after: string | undefined, signal?: AbortSignal): Promise<ForumNews> =>
  http({ path: `/api/forum/news?${toQuery({ after })}`, schema: forumNews, ...(signal && { signal }) });

export const getForumMe = (signal?: AbortSignal): Promise<ForumMe> =>
  http({ path: '/api/forum/me', schema: forumMe, ...(signal && { signal }) });

export const getForumMail = (signal?: AbortSignal): Promise<ForumMail> =>
  http({ path: '/api/forum/mail', schema: forumMail, ...(signal && { signal }) });

export const setForumMail = (body: ForumMail): Promise<ForumMail> =>
  http({ path: '/api/forum/mail', method: 'PUT', body, schema: forumMail });

export const getThreadMail = (postId: string, signal?: AbortSignal): Promise<ForumThreadMail> =>
  http({ path: `${postAt(postId)}/mute`, schema: forumThreadMail, ...(signal && { signal }) });

export const muteThread = (postId: string, isMuted: boolean): Promise<ForumThreadMail> =>
  http({ path: `${postAt(postId)}/mute`, method: 'PUT', body: { isMuted }, schema: forumThreadMail });

export const getMuted = (signal?: AbortSignal): Promise<ForumMuted> =>
  http({ path: '/api/forum/muted', schema: forumMuted, ...(signal && { signal }) });

export const previewMarkdown = (content: string, signal?: AbortSignal): Promise<ForumPreview> =>
  http({
    path: '/api/forum/preview',
    method: 'POST',
    body: { content },
    schema: forumPreview,
    ...(signal && { signal }),
  });

export const createPost = (body: NewForumPost): Promise<ForumPost> =>
  http({ path: posts, method: 'POST', body, schema: forumPost });

export const changePost = (id: string, body: ChangeForumPost): Promise<ForumPost> =>
  http({ path: postAt(id), method: 'PATCH', body, schema: forumPost });

export const deletePost = (id: string): Promise<void> => http({ path: postAt(id), method: 'DELETE' });

export const createReply = (postId: string, content: string): Promise<ForumReply> =>
  http({ path: `${postAt(postId)}/replies`, method: 'POST', body: { content }, schema: forumReply });

export const changeReply = (postId: string, id: string, body: ChangeForumReply): Promise<ForumReply> =>
  http({ path: replyAt(postId, id), method: 'PATCH', body, schema: forumReply });

export const deleteReply = (postId: string, id: string): Promise<void> =>
  http({ path: replyAt(postId, id), method: 'DELETE' });

export const resolvePost = (id: string, body: ResolveForumPost): Promise<unknown> =>
  http({ path: `${postAt(id)}/resolve`, method: 'POST', body });

export const reportPost = (id: string, body: ReportForumPost): Promise<unknown> =>
  http({ path: `${postAt(id)}/report`, method: 'POST', body });

export const moderatePost = (id: string, body: ModerateForumPost): Promise<unknown> =>
  http({ path: `${postAt(id)}/moderate`, method: 'POST', body });

export const moderateReply = (postId: string, id: string, body: ModerateForumReply): Promise<unknown> =>
  http({ path: `${replyAt(postId, id)}/moderate`, method: 'POST', body });

export const getReports = (signal?: AbortSignal): Promise<ForumReports> =>
  http({ path: '/api/forum/reports', schema: forumReports, ...(signal && { signal }) });

export const closeReport = (id: string): Promise<void> =>
  http({ path: `/api/forum/reports/${encodeURIComponent(id)}`, method: 'DELETE' });
