import type { IdentityUser } from '@orange-id/contract/identity.schema';
import type { CreatedProject } from '@orange-id/contract/projects.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { Progress, Steps } from 'antd';
import { useEffect, useState } from 'react';
import { fromPromise } from 'xstate';
import { inspected } from '../../inspect/machine.inspect';
import { useErrorDismissal, useToast } from '../../ui/toast';
import { NameStep } from './NameStep';
import { submitProject } from './project.submission';
import { SummaryStep } from './SummaryStep';
import { UrlStep } from './UrlStep';
import { emptyDraft, wizardDrafts } from './wizard.draft';
import { wizardMachine } from './wizard.machine';
import { draftOf, wizardProgress } from './wizard.selectors';
import { noticeToast } from './wizard.sentences';
import type { NewProject } from './wizard.types';
import './wizard.css';

/** The three steps: Name, URLs, Summary; 0, 50 and 100 % (spec §2). */
export function Wizard({ user }: { user: IdentityUser }) {
  const showToast = useToast();
  const dismissError = useErrorDismissal();
  const queryClient = useQueryClient();
  const [machine] = useState(() =>
    wizardMachine.provide({
      actors: {
        createProject: fromPromise<CreatedProject, NewProject>(({ input }) =>
          submitProject(input, { userId: user.id, queryClient }),
        ),
      },
    }),
  );
  const [draft] = useState(() => wizardDrafts.read(user.id) ?? emptyDraft);
  const actor = useActorRef(machine, { ...inspected, id: 'wizard', input: { draft } });
  const snapshot = useSelector(actor, (current) => current);
  const progress = wizardProgress(snapshot);

  useEffect(() => {
    const notices = actor.on('*', (notice) => showToast(noticeToast(notice)));
    const drafts = actor.subscribe((current) => {
      const unsent = draftOf(current);
      if (unsent) wizardDrafts.store(user.id, unsent);
      else wizardDrafts.clear(user.id);
      // What was wrong before is no longer: the wizard went on.
      if (current.matches('creating') || current.matches('summarised')) dismissError();
    });
    return () => {
      notices.unsubscribe();
      drafts.unsubscribe();
    };
  }, [actor, showToast, dismissError, user.id]);

  return (
    <section
      className="wizard"
      data-machine="wizard"
      data-state={String(snapshot.value)}
      aria-label="New project"
    >
      <div className="wizard-progress">
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
      </div>
      {snapshot.matches('naming') && <NameStep actor={actor} user={user} />}
      {(snapshot.matches('addingUrls') || snapshot.matches('creating')) && (
        <UrlStep actor={actor} user={user} />
      )}
      {snapshot.matches('summarised') && snapshot.context.created && (
        <SummaryStep created={snapshot.context.created} onBack={() => actor.send({ type: 'step.back' })} />
      )}
    </section>
  );
}
