import { LoadingOutlined } from '@ant-design/icons';
import { archiveFileName, type ArchiveState } from '@orange-id/contract/archive.schema';
import { limits } from '@orange-id/contract/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Button, Card, Flex, Typography } from 'antd';
import { askForArchive, downloadArchive, useDataArchive } from '../../api/account/data.archive';
import { queryKeys } from '../../api/cache/query.keys';
import { useConfig } from '../../api/config/config.context';
import { failureText } from '../../api/failure.text';
import { QueryFailure } from '../../ui/LoadFailure';
import { saveFile } from '../../ui/save.file';
import { absoluteTime } from '../../ui/time.text';
import { useToast } from '../../ui/toast';
import { useSubmission } from '../../ui/useSubmission';
import { dataArchiveMachine } from './data.archive.machine';
import { SettingsSection } from './SettingsSection';

/** Prepares an archive of the user's data and downloads it. A hosted identity service has the user's data itself. */
export function DataArchive() {
  const { identity } = useConfig();
  if (new URL(identity.baseUrl).origin !== window.location.origin) return null;
  return (
    <SettingsSection
      title="Your data"
      help="One JSON file with your profile, sign-in methods, projects, API keys without their secrets, usage by day, posts and connected apps."
    >
      <Archive />
    </SettingsSection>
  );
}

const submit = async (what: 'ask' | 'download'): Promise<void> => {
  if (what === 'ask') await askForArchive();
  else saveFile(archiveFileName, await downloadArchive());
};

function Archive() {
  const queryClient = useQueryClient();
  const showToast = useToast();
  const query = useDataArchive();
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: queryKeys.dataArchive });
  const archive = useSubmission(dataArchiveMachine, submit, {
    onDone: readAgain,
    onFailed: (error) => {
      showToast({ tone: 'error', title: 'Couldn’t Get Your Data', description: failureText(error) });
      readAgain();
    },
  });
  const snapshot = useSelector(archive, (current) => current);
  const isBusy = snapshot.hasTag('busy');
  const { data } = query;
  if (query.error && !data) {
    return (
      <Card>
        <QueryFailure title="Failed to load the state of your data" query={query} />
      </Card>
    );
  }
  const isReady = data?.state === 'ready';
  return (
    <Card data-machine="dataArchive" data-state={snapshot.value}>
      <Flex wrap gap="8px 16px" align="center" justify="space-between">
        <Typography.Text type="secondary" role="status">
          {sentenceFor(data)}
        </Typography.Text>
        {data?.state !== 'preparing' && (
          <Button
            // Not `disabled`, which would drop the focus; the machine sends one request at a time.
            aria-disabled={isBusy || !data}
            icon={isBusy && <LoadingOutlined aria-hidden />}
            onClick={() =>
              data && archive.send({ type: 'submission.start', subject: isReady ? 'download' : 'ask' })
            }
          >
            {isReady ? 'Download file' : 'Download my data'}
          </Button>
        )}
      </Flex>
    </Card>
  );
}

function sentenceFor(data: ArchiveState | undefined): string {
  if (data?.state === 'preparing') return 'We’re preparing your file. It appears here, and we email you.';
  if (data?.state === 'ready' && data.expiresAt !== null) {
    return `Your file is ready. Download it before ${absoluteTime(data.expiresAt)}.`;
  }
  return `We prepare the file in the background and keep it for ${limits.archiveKeptSeconds / 3600} hours.`;
}
