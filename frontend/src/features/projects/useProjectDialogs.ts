import type { Project } from '@orange-id/contract/projects.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { fromPromise, type ActorRefFrom } from 'xstate';
import { useAuth } from '../../api/auth.context';
import { useConfig } from '../../api/config.context';
import { draftStore } from '../../api/draft.storage';
import { inspected } from '../../inspect/machine.inspect';
import { useToast } from '../../ui/toast';
import { addUrlsMachine } from './add.urls.machine';
import { urlDraft, type UrlAddition } from './add.urls.types';
import { deleteProjectMachine } from './delete.project.machine';
import type { DialogProject } from './dialog.errors';
import { removeProject, removeUrl, rotateKey, saveUrls } from './project.changes';
import { noticeToast } from './project.sentences';
import { removeUrlMachine, type UrlRemoval } from './remove.url.machine';
import { updateKeyMachine } from './update.key.machine';

export interface ProjectDialogs {
  updateKey: ActorRefFrom<typeof updateKeyMachine>;
  addUrls: ActorRefFrom<typeof addUrlsMachine>;
  removeUrl: ActorRefFrom<typeof removeUrlMachine>;
  deleteProject: ActorRefFrom<typeof deleteProjectMachine>;
}

const drafts = draftStore('whitelistDraft', urlDraft);

/** The four dialogs of the page; they live with the page and not with a project, so that one that vanishes can be told of. */
export function useProjectDialogs(
  projects: readonly Project[] | undefined,
  onDeleted: (project: DialogProject) => void,
): ProjectDialogs {
  const queryClient = useQueryClient();
  const { features } = useConfig();
  const { user } = useAuth();
  const userId = user?.id ?? null;
  const showToast = useToast();

  const keyLogic = useMemo(
    () =>
      updateKeyMachine.provide({
        actors: {
          rotateKey: fromPromise<string, DialogProject>(({ input }) => rotateKey(queryClient, input)),
        },
      }),
    [queryClient],
  );
  const additionLogic = useMemo(
    () =>
      addUrlsMachine.provide({
        actors: {
          saveUrls: fromPromise<void, UrlAddition>(({ input }) =>
            saveUrls(queryClient, { ...input, userId }),
          ),
        },
      }),
    [queryClient, userId],
  );
  const removalLogic = useMemo(
    () =>
      removeUrlMachine.provide({
        actors: { removeUrl: fromPromise<void, UrlRemoval>(({ input }) => removeUrl(queryClient, input)) },
      }),
    [queryClient],
  );
  const deletionLogic = useMemo(
    () =>
      deleteProjectMachine.provide({
        actors: {
          deleteProject: fromPromise<void, DialogProject>(({ input }) =>
            removeProject(queryClient, input, features.embeddedProjects),
          ),
        },
      }),
    [queryClient, features.embeddedProjects],
  );

  const [draft] = useState(() => (userId === null ? null : drafts.read(userId)));
  const key = useActorRef(keyLogic, inspected);
  const addition = useActorRef(additionLogic, { ...inspected, input: { draft } });
  const removal = useActorRef(removalLogic, inspected);
  const deletion = useActorRef(deletionLogic, inspected);

  const tell = useEffectEvent((notice: Parameters<typeof noticeToast>[0]) => showToast(noticeToast(notice)));
  const tellDeleted = useEffectEvent(onDeleted);
  useEffect(() => {
    const subscriptions = [
      key.on('*', (notice) => tell(notice)),
      addition.on('*', (notice) => tell(notice)),
      removal.on('*', (notice) => tell(notice)),
      deletion.on('*', (notice) => tell(notice)),
      deletion.on('project.deleted', ({ project }) => tellDeleted(project)),
    ];
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [key, addition, removal, deletion]);

  useEffect(() => {
    if (userId === null) return;
    const kept = addition.subscribe(({ context: { project, urlText, pending } }) => {
      // Before the dialog was opened there is nothing to say about what is stored.
      if (!project) return;
      if (urlText !== '' || pending.length > 0) drafts.store(userId, { project, urlText, pending });
      else drafts.clear();
    });
    return () => kept.unsubscribe();
  }, [addition, userId]);

  const stateOf = (snapshot: { value: unknown }) => snapshot.value;
  const states = [
    useSelector(key, stateOf),
    useSelector(addition, stateOf),
    useSelector(removal, stateOf),
    useSelector(deletion, stateOf),
  ].join();
  useEffect(() => {
    if (!projects) return;
    const find = (project: DialogProject | null | undefined) =>
      projects.find(({ code }) => code === project?.code);

    const keyed = find(key.getSnapshot().context.project);
    if (keyed) key.send({ type: 'key.change', apiKey: keyed.apiKey });
    else key.send({ type: 'project.vanish' });
    if (!find(deletion.getSnapshot().context.project)) deletion.send({ type: 'project.vanish' });
    const added = find(addition.getSnapshot().context.project);
    if (added) addition.send({ type: 'whitelist.change', urls: added.urls });
    else addition.send({ type: 'project.vanish' });
    const { removal: chosen } = removal.getSnapshot().context;
    const of = find(chosen?.project);
    if (!of) removal.send({ type: 'removal.vanish', what: 'project' });
    else if (chosen && !of.urls.includes(chosen.url)) removal.send({ type: 'removal.vanish', what: 'url' });
    else if (chosen && of.urls.length === 1) removal.send({ type: 'removal.vanish', what: 'last' });
  }, [projects, states, key, addition, removal, deletion]);

  return useMemo(
    () => ({ updateKey: key, addUrls: addition, removeUrl: removal, deleteProject: deletion }),
    [key, addition, removal, deletion],
  );
}
