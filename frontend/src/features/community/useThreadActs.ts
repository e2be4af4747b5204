import type { ForumPost } from '@orange-id/contract/forum.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { change } from '../../api/cache/change';
import { queryKeys } from '../../api/cache/query.keys';
import { deletePost, deleteReply, reportPost, resolvePost } from '../../api/community/forum.calls';
import { failureText } from '../../api/failure.text';
import { useAuth } from '../../api/session/auth.context';
import type { SubmissionActor } from '../../ui/submission';
import { useToast } from '../../ui/toast';
import { useSubmission } from '../../ui/useSubmission';
import { moderatePostMachine, reportPostMachine, type Moderation } from './moderation.machine';
import { sendModeration } from './send.moderation';
import { deletePostMachine, resolvePostMachine } from './post.machine';

/** What the reader can do with a post and its replies. */
export interface ThreadActs {
  userId: string | undefined;
  isSignedIn: boolean;
  isAdministrator: boolean;
  deletion: SubmissionActor<{ post: ForumPost; replyId: string | null }>;
  resolution: SubmissionActor<{ isResolved: boolean; acceptedReplyId: string | null }>;
  moderation: SubmissionActor<Moderation>;
  report: SubmissionActor<{ replyId: string | null; reason: string }>;
}

const lists = [queryKeys.forum];

/** Runs what the reader does with a post, and reads it again afterwards. */
export function useThreadActs({ id }: ForumPost, isAdministrator: boolean): ThreadActs {
  const { user, isAuthenticated } = useAuth();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const showToast = useToast();
  const deletion = useSubmission(
    deletePostMachine,
    useCallback(
      ({ post, replyId }: { post: ForumPost; replyId: string | null }) =>
        replyId === null
          ? // The post's own page must not read it again.
            change(queryClient, [[...queryKeys.forum, 'posts']], () => deletePost(post.id))
          : change(queryClient, lists, () => deleteReply(post.id, replyId)),
      [queryClient],
    ),
    {
      onDone: ({ replyId }) => {
        showToast({ tone: 'success', title: replyId === null ? 'Post Deleted' : 'Reply Deleted' });
        if (replyId === null) void navigate('/community', { replace: true });
      },
    },
  );
  const resolution = useSubmission(
    resolvePostMachine,
    useCallback((subject) => change(queryClient, lists, () => resolvePost(id, subject)), [queryClient, id]),
    {
      onFailed: (error) =>
        showToast({ tone: 'error', title: 'Failed to change the post', description: failureText(error) }),
    },
  );
  const moderation = useSubmission(
    moderatePostMachine,
    useCallback(
      (subject: Moderation) => change(queryClient, lists, () => sendModeration(subject)),
      [queryClient],
    ),
    { onDone: () => showToast({ tone: 'success', title: 'Change Saved' }) },
  );
  const report = useSubmission(
    reportPostMachine,
    useCallback((subject) => reportPost(id, subject), [id]),
    {
      onDone: () =>
        showToast({
          tone: 'success',
          title: 'Report Sent',
          description: 'The administrators will look at it.',
        }),
    },
  );
  return {
    userId: user?.id,
    isSignedIn: isAuthenticated,
    isAdministrator,
    deletion,
    resolution,
    moderation,
    report,
  };
}
