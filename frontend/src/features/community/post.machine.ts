import type { ChangeForumPost, ForumPost, NewForumPost } from '@orange-id/contract/forum.schema';
import { submissionMachine } from '../../ui/submission';

export type WrittenPost = NewForumPost & Pick<ChangeForumPost, 'readEditedAt'>;

/** Publishes a new post, or changes one of the user's posts. */
export const writePostMachine = submissionMachine<{ id: string | null; body: WrittenPost }, 'post'>(
  'writePost',
);

/** Deletes a post or, with `replyId`, a reply of the user, after confirmation. */
export const deletePostMachine = submissionMachine<{ post: ForumPost; replyId: string | null }>('deletePost');

/** Marks a post as resolved, with the reply that answers it, or as open again. */
export const resolvePostMachine = submissionMachine<{ isResolved: boolean; acceptedReplyId: string | null }>(
  'resolvePost',
);
