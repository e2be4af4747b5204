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

/** A draft that a visitor has typed becomes the user's after signing in. */
function ownDrafts<T>(name: string, schema: z.ZodType<T>) {
  const drafts = draftStore(name, schema);
  return {
    read: (userId: string | undefined): T | null =>
      (userId === undefined ? null : drafts.read(userId)) ?? drafts.read(visitor),
    store: (userId: string | undefined, draft: T): void => {
      drafts.store(userId ?? visitor, draft);
      if (userId !== undefined) drafts.clear(visitor);
    },
    clear: (userId: string | undefined): void => {
      if (userId !== undefined) drafts.clear(userId);
      drafts.clear(visitor);
    },
  };
}

/** Of the next post; a post about a call has its own, which `about` names. */
export const postDrafts = (about: string) =>
  ownDrafts(`communityPostDraft${about && `:${about}`}`, postDraft);

/** Of a reply to this post. */
export const replyDrafts = (postId: string) => ownDrafts(`communityReplyDraft:${postId}`, z.string());
