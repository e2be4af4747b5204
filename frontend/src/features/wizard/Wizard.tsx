import '../../ui/rows.css';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import type { ProfileUpdate } from '@orange-id/contract/profile.schema';
import type { CreatedProject } from '@orange-id/contract/projects.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { Flex, Progress, Skeleton, Steps } from 'antd';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { fromPromise } from 'xstate';
import { useConfig } from '../../api/config/config.context';
import { inspected } from '../../inspect/machine.inspect';
import { LoadFailure } from '../../ui/LoadFailure';
import { useToast, useToastDismissal } from '../../ui/toast';
import { ConfirmationNote } from './ConfirmationNote';
import { NameStep } from './NameStep';
import { fillProfile } from './profile.filling';
import { createdParameter, recallProject } from './project.recall';
import { submitProject } from './project.submission';
import { ReviewStep } from './ReviewStep';
import { SummaryStep } from './SummaryStep';
import { UrlStep } from './UrlStep';
import { emptyDraft, wizardDrafts } from './wizard.draft';
import { wizardMachine } from './wizard.machine';
import { draftOf, isNaming, shownProjectId, wizardProgress } from './wizard.selectors';
import { noticeToast } from './wizard.text';
import type { NewProject, ReadyProject } from './wizard.types';
import styles from './wizard.module.css';

/** The wizard's three steps, Name, URLs and Summary, at 0, 50 and 100 %. */
export function Wizard({ user }: { user: IdentityUser }) {
  const showToast = useToast();
  const dismissToast = useToastDismissal();
  const queryClient = useQueryClient();
  const { identity } = useConfig();
  const [query, setQuery] = useSearchParams();
  const [machine] = useState(() =>
    wizardMachine.provide({
      actors: {
        createProject: fromPromise<CreatedProject, NewProject>(({ input }) =>
          submitProject(input, { userId: user.id, queryClient }),
        ),
        saveProfile: fromPromise<void, ProfileUpdate>(({ input }) =>
          fillProfile(input, { identity, queryClient }),
        ),
        readProject: fromPromise<ReadyProject | null, string>(({ input }) =>
          recallProject(input, queryClient),
        ),
      },
    }),
  );
  const [draft] = useState(() => wizardDrafts.read(user.id) ?? emptyDraft);
  const actor = useActorRef(machine, {
    ...inspected,
    id: 'wizard',
    input: { draft, recalledId: query.get(createdParameter) },
  });
  const snapshot = useSelector(actor, (current) => current);
  const progress = wizardProgress(snapshot);

  useEffect(() => {
    const notices = actor.on('*', (notice) => {
      const toast = noticeToast(notice);
      if (toast) showToast(toast);
      else dismissToast();
    });
    const drafts = actor.subscribe((current) => {
      const unsent = draftOf(current);
      if (unsent) wizardDrafts.store(user.id, unsent);
      else wizardDrafts.clear(user.id);
    });
    return () => {
      notices.unsubscribe();
      drafts.unsubscribe();
    };
  }, [actor, showToast, dismissToast, user.id]);

  const shownId = shownProjectId(snapshot);
  useEffect(() => {
    if (query.get(createdParameter) !== shownId)
      setQuery(shownId === null ? {} : { [createdParameter]: shownId }, { replace: true });
    // Only when the shown project changes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shownId]);

  return (
    <section
      className={`stack ${styles.root}`}
      data-machine="wizard"
      data-state={String(snapshot.value)}
      aria-label="New project"
    >
      <Flex vertical gap={8} className={styles.progress}>
        <Steps
          size="small"
          responsive={false}
          current={progress / 50}
          items={[{ title: 'Name' }, { title: 'URLs' }, { title: 'Summary' }]}
        />
        <Progress
          percent={progress}
          size="small"
          status="normal"
          strokeColor="var(--ant-color-primary)"
          aria-label="Wizard progress"
        />
      </Flex>
      {snapshot.matches('recalling') && <Skeleton active paragraph={{ rows: 8 }} />}
      {snapshot.matches('recallFailed') && (
        <LoadFailure
          title="Failed to load your project"
          error={snapshot.context.failure}
          onRetry={() => actor.send({ type: 'recall.retry' })}
        />
      )}
      <ConfirmationNote user={user} />
      {isNaming(snapshot) && <NameStep actor={actor} user={user} />}
      {(snapshot.matches('addingUrls') || snapshot.matches('creating')) && (
        <UrlStep actor={actor} user={user} />
      )}
      {snapshot.matches('reviewing') && snapshot.context.created && (
        <ReviewStep actor={actor} created={snapshot.context.created} />
      )}
      {snapshot.matches('summarised') && snapshot.context.created && (
        <SummaryStep created={snapshot.context.created} onBack={() => actor.send({ type: 'step.back' })} />
      )}
    </section>
  );
}
