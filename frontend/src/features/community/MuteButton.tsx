import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Button } from 'antd';
import { queryKeys } from '../../api/cache/query.keys';
import { getThreadMail } from '../../api/community/forum.calls';
import { useSendsMail } from '../../api/community/useSendsMail';
import { useMuting } from '../../ui/useMuting';

/** Mutes the email about this thread, for users who get it. */
export function MuteButton({ postId }: { postId: string }) {
  const isEnabled = useSendsMail();
  const { data } = useQuery({
    queryKey: queryKeys.threadMail(postId),
    queryFn: ({ signal }) => getThreadMail(postId, signal),
    enabled: isEnabled,
  });
  const muting = useMuting();
  const isBusy = useSelector(muting, (snapshot) => snapshot.hasTag('busy'));
  if (!data?.isFollowing) return null;
  const { isMuted } = data;
  return (
    <Button
      type="text"
      size="small"
      // Not `disabled`, which would drop the focus.
      aria-disabled={isBusy}
      onClick={() =>
        !isBusy && muting.send({ type: 'submission.start', subject: { postId, isMuted: !isMuted } })
      }
    >
      {isMuted ? 'Unmute thread' : 'Mute thread'}
    </Button>
  );
}
