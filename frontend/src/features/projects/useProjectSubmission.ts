import type { Project } from '@orange-id/contract/projects.schema';
import { useSelector } from '@xstate/react';
import { useEffect, useEffectEvent } from 'react';
import type { SubmissionActor, SubmissionMachine } from '../../ui/submission';
import { useSubmission } from '../../ui/useSubmission';
import type { ProjectSubject } from './project.changes.machine';

interface Options<Subject, What> {
  /** Why the change is no longer possible or needed, by the project in the list; `null` if it still is. */
  vanished?: (project: Project, subject: Subject) => What | null;
  onDone?: () => void;
}

/**
 * Runs a change of a project, and sends `submission.vanish` if the project is gone from the list or `vanished` returns
 * a reason. `submit` must be memoised.
 */
export function useProjectSubmission<Subject extends ProjectSubject, What extends string>(
  machine: SubmissionMachine<Subject, What | 'project'>,
  projects: readonly Project[] | undefined,
  submit: (subject: Subject) => Promise<unknown>,
  { vanished = () => null, onDone = () => undefined }: Options<Subject, What> = {},
): SubmissionActor<Subject, What | 'project'> {
  const actor = useSubmission(machine, submit, { onDone });
  const state = useSelector(actor, (snapshot) => snapshot.value);
  const check = useEffectEvent((list: readonly Project[]) => {
    const { subject } = actor.getSnapshot().context;
    const project = list.find(({ code }) => code === subject?.project.code);
    const what = subject && project ? vanished(project, subject) : 'project';
    if (what !== null) actor.send({ type: 'submission.vanish', what });
  });
  useEffect(() => {
    if (projects) check(projects);
  }, [projects, state]);
  return actor;
}
