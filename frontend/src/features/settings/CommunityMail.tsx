import '../../ui/rows.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Button, Card, Flex, Switch, Typography } from 'antd';
import { useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import { queryKeys } from '../../api/cache/query.keys';
import { getForumMail, getMuted, setForumMail } from '../../api/community/forum.calls';
import { useSendsMail } from '../../api/community/useSendsMail';
import { failureText } from '../../api/failure.text';
import { ListState } from '../../ui/ListState';
import { besideRow } from '../../ui/row.focus';
import { useToast } from '../../ui/toast';
import { useMuting } from '../../ui/useMuting';
import { useSubmission } from '../../ui/useSubmission';
import { forumMailMachine } from './forum.mail.machine';
import { SettingsSection } from './SettingsSection';

const mailKey = [...queryKeys.forum, 'mail'];

/** Whether the user gets email about the community. A portal with a hosted identity service sends none. */
export function CommunityMail() {
  const isShown = useSendsMail();
  if (!isShown) return null;
  return (
    <SettingsSection title="Community email" help="Each email has a link to mute its thread.">
      <MailSwitch />
      <MutedThreads />
    </SettingsSection>
  );
}

function MailSwitch() {
  const id = useId();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const { data, isPending, isFetching, error, refetch } = useQuery({
    queryKey: mailKey,
    queryFn: ({ signal }) => getForumMail(signal),
  });
  const change = useSubmission(forumMailMachine, setForumMail, {
    onDone: (mail) => queryClient.setQueryData(mailKey, mail),
    onFailed: (failure) =>
      showToast({ tone: 'error', title: 'Not saved', description: failureText(failure as Error) }),
  });
  const isBusy = useSelector(change, (snapshot) => snapshot.hasTag('busy'));
  return (
    <Card>
      <ListState
        isLoading={isPending}
        error={error}
        errorTitle="Failed to check whether you get email"
        isRetrying={isFetching}
        onRetry={() => void refetch()}
        isEmpty={false}
        emptyTitle=""
      >
        <Flex justify="space-between" align="center" gap={16}>
          <div>
            <Typography.Text strong id={id}>
              Replies in your threads
            </Typography.Text>
            <br />
            <Typography.Text type="secondary">At most one email an hour for each thread.</Typography.Text>
          </div>
          <Switch
            aria-labelledby={id}
            checked={data?.isOn ?? false}
            loading={isBusy}
            onChange={(isOn) => change.send({ type: 'submission.start', subject: { isOn } })}
          />
        </Flex>
      </ListState>
    </Card>
  );
}

/** The threads that the user has muted, if any. */
function MutedThreads() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: queryKeys.forumMuted,
    queryFn: ({ signal }) => getMuted(signal),
  });
  const card = useRef<HTMLDivElement>(null);
  const beside = useRef<(() => HTMLElement | null) | null>(null);
  // The refetch removes the row, so the focus moves first.
  const muting = useMuting(() => beside.current?.()?.focus());
  const isBusy = useSelector(muting, (snapshot) => snapshot.hasTag('busy'));
  if (!error && (data?.threads.length ?? 0) === 0) return null;
  return (
    <Card ref={card} tabIndex={-1} title="Muted threads">
      <ListState
        isLoading={false}
        error={data ? null : error}
        errorTitle="Failed to load your muted threads"
        isRetrying={isFetching}
        onRetry={() => void refetch()}
        isEmpty={false}
        emptyTitle=""
      >
        <ul className="rows" aria-label="Muted threads">
          {data?.threads.map(({ postId, title }) => (
            <li key={postId}>
              <div className="rows-words">
                <Link to={`/community/posts/${postId}`}>{title || 'Hidden post'}</Link>
              </div>
              <Button
                aria-label={`Unmute ${title || 'hidden post'}`}
                // Not `disabled`, which would drop the focus.
                aria-disabled={isBusy}
                onClick={({ currentTarget }) => {
                  if (isBusy) return;
                  beside.current = besideRow(currentTarget, card.current);
                  muting.send({ type: 'submission.start', subject: { postId, isMuted: false } });
                }}
              >
                Unmute
              </Button>
            </li>
          ))}
        </ul>
      </ListState>
    </Card>
  );
}
