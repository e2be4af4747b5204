import type { Project } from '@orange-id/contract/projects.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useCallback, useEffect, useEffectEvent, useMemo, type RefObject } from 'react';
import { useConfig } from '../../api/config/config.context';
import { useAuth } from '../../api/session/auth.context';
import { useToast } from '../../ui/toast';
import { useSubmission } from '../../ui/useSubmission';
import type { ProjectChange } from './project.changes';
import type { ProjectSubject } from './project.changes.machine';

/** Where the focus goes after a dialog if the button that opened it was removed. */
export interface DialogFocus {
  focusAfter: RefObject<HTMLElement | null>;
  /** For dialogs that a row of a list opens. */
  rowFocusAfter: RefObject<HTMLElement | null>;
}

/**
 * Runs a change of a project, shows a toast after each attempt, and sends `submission.vanish` if the project is gone
 * from the list or `vanished` returns a reason.
 */
export function useProjectChange<Subject extends ProjectSubject, What extends string>(
  {
    machine,
    submit,
    vanished,
    words,
    doneToast,
    Dialog,
    isOfRow = false,
  }: ProjectChange<Subject, What | 'project'>,
  projects: readonly Project[] | undefined,
  onDone?: () => void,
) {
  const queryClient = useQueryClient();
  const { embeddedProjects } = useConfig().features;
  const userId = useAuth().user?.id ?? null;
  const tools = useMemo(
    () => ({ queryClient, userId, embeddedProjects }),
    [queryClient, userId, embeddedProjects],
  );
  const showToast = useToast();
  const actor = useSubmission(
    machine,
    useCallback((subject: Subject) => submit(subject, tools), [submit, tools]),
    {
      onDone: (subject) => {
        showToast(doneToast(subject, tools));
        onDone?.();
      },
      onFailed: (error) => showToast({ tone: 'error', title: 'Error', description: words.failureOf(error) }),
    },
  );
  const state = useSelector(actor, ({ value }) => value);
  const subject = useSelector(actor, ({ context }) => context.subject);
  const check = useEffectEvent((list: readonly Project[]) => {
    const chosen = actor.getSnapshot().context.subject;
    const project = list.find(({ code }) => code === chosen?.project.code);
    const what = chosen && project ? (vanished?.(project, chosen) ?? null) : 'project';
    if (what !== null) actor.send({ type: 'submission.vanish', what });
  });
  useEffect(() => {
    if (projects) check(projects);
  }, [projects, state]);
  return {
    actor,
    open: (chosen: Subject) => actor.send({ type: 'submission.open', subject: chosen }),
    dialog: ({ focusAfter, rowFocusAfter }: DialogFocus) => (
      <Dialog {...words} actor={actor} subject={subject} focusAfter={isOfRow ? rowFocusAfter : focusAfter} />
    ),
  };
}
