import { forumCategories } from '@orange-id/contract/forum.schema';
import { z } from 'zod';
import { draftStore } from '../../api/projects/draft.storage';

const visitor = 'visitor';

export const postDraft = z.object({
  title: z.string(),
  content: z.string(),
  category: z.enum(forumCategories),
});
export type PostDraft = z.infer<typeof postDraft>;

/**
 * A draft that a visitor has typed in this tab becomes that of the first user who reads it; nobody else sees it after
 * that.
 */
function ownDrafts<T>(name: string, schema: z.ZodType<T>) {
  const drafts = draftStore(name, schema);
  return {
    read: (userId: string | undefined): T | null => {
      const typed = drafts.read(visitor);
      if (userId === undefined || typed === null) return drafts.read(userId ?? visitor);
      drafts.clear(visitor);
      const own = drafts.read(userId);
      if (own === null) drafts.store(userId, typed);
      return own ?? typed;
    },
    store: (userId: string | undefined, draft: T): void => drafts.store(userId ?? visitor, draft),
    clear: (userId: string | undefined): void => drafts.clear(userId ?? visitor),
  };
}

/** Of the next post; a post about a call has its own, which `about` names. */
export const postDrafts = (about: string) =>
  ownDrafts(`communityPostDraft${about && `:${about}`}`, postDraft);

/** Of a reply to this post. */
export const replyDrafts = (postId: string) => ownDrafts(`communityReplyDraft:${postId}`, z.string());
