import type { Project } from '@orange-id/contract/projects.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useMemo } from 'react';
import { fromPromise, type ActorRefFrom } from 'xstate';
import { generateKey } from '../../api/keys/generate.key';
import { inspected, stateName } from '../../inspect/machine.inspect';
import { useToast } from '../../ui/toast';
import type { DialogProject } from './dialog.errors';
import { noticeToast } from './project.text';
import { updateKeyMachine } from './update.key.machine';

/** Runs the dialog that replaces a project's key, and gives it the project's current key. */
export function useUpdateKey(
  projects: readonly Project[] | undefined,
): ActorRefFrom<typeof updateKeyMachine> {
  const queryClient = useQueryClient();
  const showToast = useToast();
  const logic = useMemo(
    () =>
      updateKeyMachine.provide({
        actors: {
          rotateKey: fromPromise<string, DialogProject>(({ input }) => generateKey(queryClient, input)),
        },
      }),
    [queryClient],
  );
  const actor = useActorRef(logic, inspected);
  useEffect(() => {
    const toasts = actor.on('*', (notice) => showToast(noticeToast(notice)));
    return () => toasts.unsubscribe();
  }, [actor, showToast]);
  const state = useSelector(actor, ({ value }) => stateName(value));
  useEffect(() => {
    if (!projects) return;
    const { project } = actor.getSnapshot().context;
    const listed = projects.find(({ code }) => code === project?.code);
    if (listed) actor.send({ type: 'key.change', apiKey: listed.apiKey });
    else actor.send({ type: 'project.vanish' });
  }, [projects, state, actor]);
  return actor;
}
