import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { change } from '../api/cache/change';
import { queryKeys } from '../api/cache/query.keys';
import { muteThread } from '../api/community/forum.calls';
import { failureText } from '../api/failure.text';
import { muteThreadMachine } from './mute.thread.machine';
import type { SubmissionActor } from './submission';
import { useToast } from './toast';
import { useSubmission } from './useSubmission';

interface Muting {
  postId: string;
  isMuted: boolean;
}

/** Mutes threads of the community and says so, on the page of a post and in the settings. */
export function useMuting(onDone?: () => void): SubmissionActor<Muting> {
  const queryClient = useQueryClient();
  const showToast = useToast();
  const submit = useCallback(
    ({ postId, isMuted }: Muting) =>
      change(queryClient, [queryKeys.forumMuted, queryKeys.threadMail(postId)], () =>
        muteThread(postId, isMuted),
      ),
    [queryClient],
  );
  return useSubmission(muteThreadMachine, submit, {
    onDone: ({ isMuted }) => {
      showToast({
        tone: 'success',
        title: isMuted ? 'Thread Muted' : 'Thread Unmuted',
        description: isMuted
          ? 'You won’t get email about this thread. Manage muted threads in Settings.'
          : 'You’ll get email about new replies to this thread.',
      });
      onDone?.();
    },
    onFailed: (failure) =>
      showToast({ tone: 'error', title: 'Not Saved', description: failureText(failure) }),
  });
}
