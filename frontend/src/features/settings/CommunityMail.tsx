import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Card, Flex, Switch, Typography } from 'antd';
import { useId } from 'react';
import { queryKeys } from '../../api/cache/query.keys';
import { getForumMail, setForumMail } from '../../api/community/forum.calls';
import { useConfig } from '../../api/config/config.context';
import { failureText } from '../../api/failure.text';
import { ListState } from '../../ui/ListState';
import { useToast } from '../../ui/toast';
import { useSubmission } from '../../ui/useSubmission';
import { forumMailMachine } from './forum.mail.machine';
import { SettingsSection } from './SettingsSection';

const mailKey = [...queryKeys.forum, 'mail'];

/** Whether the user gets email about the community. A portal with a hosted identity service sends none. */
export function CommunityMail() {
  const { identity } = useConfig();
  if (new URL(identity.baseUrl).origin !== window.location.origin) return null;
  return (
    <SettingsSection title="Community email" help="A link in each email ends those about its thread.">
      <MailSwitch />
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
        errorTitle="Failed to load whether you get email"
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
