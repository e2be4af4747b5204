import { EditOutlined, KeyOutlined, RetweetOutlined } from '@ant-design/icons';
import type { Project } from '@orange-id/contract/projects.schema';
import { useQueryClient } from '@tanstack/react-query';
import { Button, Flex } from 'antd';
import { useMemo, useRef } from 'react';
import { useConfig } from '../../api/config/config.context';
import { projectKeys } from '../../api/keys/key.list';
import { useLiveKeys } from '../../api/keys/live.keys';
import { patchProject } from '../../api/projects/change.project';
import { EditKeyDialog } from '../../ui/keys/EditKeyDialog';
import { KeyFacts, KeyTags } from '../../ui/keys/KeyFacts';
import { EndKeyDialog, KeyOverlap } from '../../ui/keys/KeyOverlap';
import { RotateKeyDialog, usualOverlapDays } from '../../ui/keys/RotateKeyDialog';
import { useKeyDialogs } from '../../ui/keys/useKeyDialogs';
import { QueryFailure } from '../../ui/LoadFailure';
import { SecretKey } from '../../ui/SecretKey';
import { useUtcDay } from '../../ui/utc.day';
import styles from './projects.module.css';

interface ProjectKeyProps {
  project: Project;
  isRevealed: boolean;
  onReveal: (isRevealed: boolean) => void;
  /** Opens the dialog that replaces the key at once. */
  onUpdate: () => void;
}

/** A project's key, masked, with its usage, and buttons to change it. A hosted project service can only replace it. */
export function ProjectKey({ project, isRevealed, onReveal, onUpdate }: ProjectKeyProps) {
  const { embeddedProjects } = useConfig().features;
  return (
    <Flex vertical gap={8} align="stretch">
      <SecretKey
        label="API key"
        value={project.apiKey}
        isRevealed={isRevealed}
        onToggle={() => onReveal(!isRevealed)}
      />
      {embeddedProjects ? (
        <KeyManagement project={project} onReveal={onReveal} onUpdate={onUpdate} />
      ) : (
        <Flex>
          <UpdateButton onUpdate={onUpdate} />
        </Flex>
      )}
    </Flex>
  );
}

const UpdateButton = ({ onUpdate }: Pick<ProjectKeyProps, 'onUpdate'>) => (
  <Button danger icon={<KeyOutlined aria-hidden />} onClick={onUpdate}>
    Update API key
  </Button>
);

function KeyManagement({ project, onReveal, onUpdate }: Omit<ProjectKeyProps, 'isRevealed'>) {
  const queryClient = useQueryClient();
  const { code, projectName } = project;
  const list = useMemo(() => projectKeys(code), [code]);
  const query = useLiveKeys(list, useUtcDay());
  const { data, error, dataUpdatedAt } = query;
  const current = data?.find(({ replacedAt }) => replacedAt === null);
  const old = data?.find(({ replacedAt }) => replacedAt !== null);
  const box = useRef<HTMLDivElement>(null);
  const dialogs = useKeyDialogs({
    list,
    keys: data,
    onRotated: ({ key }) => {
      patchProject(queryClient, project, () => ({ apiKey: key }));
      onReveal(true);
    },
  });
  return (
    <Flex vertical gap={8} ref={box} tabIndex={-1} role="group" aria-label={`API key of ${projectName}`}>
      {data === undefined && error ? (
        <QueryFailure title="Failed to load the usage of this key" query={query} />
      ) : current ? (
        <>
          <KeyFacts saved={current} readAt={dataUpdatedAt} />
          <KeyTags saved={current} />
        </>
      ) : (
        <span className="note">{data === undefined ? 'Loading usage...' : 'No usage data'}</span>
      )}
      <Flex wrap gap={8}>
        {current && (
          <Button
            aria-label="Edit key"
            icon={<EditOutlined aria-hidden />}
            onClick={() =>
              dialogs.edit.send({ type: 'submission.open', subject: { key: current, body: {} } })
            }
          >
            Edit
          </Button>
        )}
        {current && !old && (
          <Button
            aria-label="Rotate key"
            icon={<RetweetOutlined aria-hidden />}
            onClick={() =>
              dialogs.rotate.send({
                type: 'submission.open',
                subject: { key: current, overlapDays: usualOverlapDays },
              })
            }
          >
            Rotate
          </Button>
        )}
        <span className={styles.replaceNow}>
          <UpdateButton onUpdate={onUpdate} />
        </span>
      </Flex>
      <span className="note">
        Rotate keeps the old key working for some days. Update API key replaces it now.
      </span>
      {current && old && (
        <KeyOverlap
          current={current}
          old={old}
          readAt={dataUpdatedAt}
          onEnd={() => dialogs.end.send({ type: 'submission.open', subject: old })}
        />
      )}
      <EditKeyDialog actor={dialogs.edit} focusAfter={box} isOfProject />
      <RotateKeyDialog actor={dialogs.rotate} focusAfter={box} />
      <EndKeyDialog actor={dialogs.end} keys={data} focusAfter={box} />
    </Flex>
  );
}
