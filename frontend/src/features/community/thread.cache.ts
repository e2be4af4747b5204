import type { ForumReplies, ForumReply } from '@orange-id/contract/forum.schema';
import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query';
import { queryKeys } from '../../api/cache/query.keys';
import { getPost, getReplies } from '../../api/community/forum.calls';

interface RepliesPlace {
  around?: string;
  after?: string;
  before?: string;
}
export type ReplyPages = InfiniteData<ForumReplies, RepliesPlace>;

export const postQuery = (id: string) => ({
  queryKey: [...queryKeys.forum, 'post', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => getPost(id, signal),
  refetchOnMount: 'always' as const,
});

/** The replies of a post, oldest first, from the first page or from the one with the reply `around`. */
export const repliesQuery = (postId: string, around: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.forum, 'replies', postId, around],
    queryFn: ({ pageParam, signal }) => getReplies(postId, pageParam, signal),
    initialPageParam: (around === undefined ? {} : { around }) as RepliesPlace,
    getNextPageParam: ({ next }) => (next === null ? undefined : ({ after: next } as RepliesPlace)),
    getPreviousPageParam: ({ previous }) =>
      previous === null ? undefined : ({ before: previous } as RepliesPlace),
    refetchOnMount: 'always',
  });

/** The pages with a reply that was just written, if its place is loaded. */
export function withReply(pages: ReplyPages | undefined, reply: ForumReply): ReplyPages | undefined {
  const last = pages?.pages.at(-1);
  if (!pages || !last || last.next !== null) return pages;
  if (last.replies.some(({ id }) => id === reply.id)) return pages;
  return {
    ...pages,
    pages: [...pages.pages.slice(0, -1), { ...last, replies: [...last.replies, reply] }],
  };
}
