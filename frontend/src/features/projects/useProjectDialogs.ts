import type { Project } from '@orange-id/contract/projects.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { fromPromise, type ActorRefFrom } from 'xstate';
import { useAuth } from '../../api/auth.context';
import { useConfig } from '../../api/config.context';
import { draftStore } from '../../api/draft.storage';
import { inspected } from '../../inspect/machine.inspect';
import { useToast } from '../../ui/toast';
import { addUrlsMachine } from './add.urls.machine';
import { urlDrafts, type UrlAddition, type UrlDraft } from './add.urls.types';
import { allowOriginMachine, type OriginAllowance } from './allow.origin.machine';
import { deleteProjectMachine } from './delete.project.machine';
import type { DialogProject } from './dialog.errors';
import { removeProject, removeUrl, rotateKey, saveUrls } from './project.changes';
import { noticeToast } from './project.sentences';
import { removeUrlMachine, type UrlRemoval } from './remove.url.machine';
import { updateKeyMachine } from './update.key.machine';

export interface ProjectDialogs {
  updateKey: ActorRefFrom<typeof updateKeyMachine>;
  addUrls: ActorRefFrom<typeof addUrlsMachine>;
  allowOrigin: ActorRefFrom<typeof allowOriginMachine>;
  removeUrl: ActorRefFrom<typeof removeUrlMachine>;
  deleteProject: ActorRefFrom<typeof deleteProjectMachine>;
  /** The stored draft of allowed URLs for the project with this code. */
  draftOf: (code: string) => UrlDraft | null;
}

const drafts = draftStore('whitelistDraft', urlDrafts);

/** The dialogs of the page. They belong to the page and not to a project, so that they can report its deletion. */
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
  const allowanceLogic = useMemo(
    () =>
      allowOriginMachine.provide({
        actors: {
          saveUrl: fromPromise<void, OriginAllowance>(({ input: { project, url } }) =>
            saveUrls(queryClient, { project, urls: [url], userId }),
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

  const key = useActorRef(keyLogic, inspected);
  const addition = useActorRef(additionLogic, inspected);
  const allowance = useActorRef(allowanceLogic, inspected);
  const removal = useActorRef(removalLogic, inspected);
  const deletion = useActorRef(deletionLogic, inspected);

  const tell = useEffectEvent((notice: Parameters<typeof noticeToast>[0]) =>
    showToast(noticeToast(notice, { isHosted: !features.embeddedProjects })),
  );
  const tellDeleted = useEffectEvent(onDeleted);
  useEffect(() => {
    const subscriptions = [
      key.on('*', (notice) => tell(notice)),
      addition.on('*', (notice) => tell(notice)),
      allowance.on('*', (notice) => tell(notice)),
      removal.on('*', (notice) => tell(notice)),
      deletion.on('*', (notice) => tell(notice)),
      deletion.on('project.deleted', ({ project }) => tellDeleted(project)),
    ];
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [key, addition, allowance, removal, deletion]);

  useEffect(() => {
    if (userId === null) return;
    const kept = addition.subscribe(({ context: { project, urlText, pending } }) => {
      // Before the dialog is opened, the stored drafts must stay unchanged.
      if (!project) return;
      const { [project.code]: _, ...others } = drafts.read(userId) ?? {};
      const isEmpty = urlText === '' && pending.length === 0;
      const all = isEmpty ? others : { ...others, [project.code]: { urlText, pending } };
      if (Object.keys(all).length > 0) drafts.store(userId, all);
      else drafts.clear(userId);
    });
    return () => kept.unsubscribe();
  }, [addition, userId]);

  const stateOf = (snapshot: { value: unknown }) => snapshot.value;
  const states = [
    useSelector(key, stateOf),
    useSelector(addition, stateOf),
    useSelector(allowance, stateOf),
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
    const { allowance: wanted } = allowance.getSnapshot().context;
    const wanting = find(wanted?.project);
    if (!wanting) allowance.send({ type: 'allowance.vanish', what: 'project' });
    else if (wanted && wanting.urls.includes(wanted.url))
      allowance.send({ type: 'allowance.vanish', what: 'url' });
    const { removal: chosen } = removal.getSnapshot().context;
    const of = find(chosen?.project);
    if (!of) removal.send({ type: 'removal.vanish', what: 'project' });
    else if (chosen && !of.urls.includes(chosen.url)) removal.send({ type: 'removal.vanish', what: 'url' });
    else if (chosen && of.urls.length === 1) removal.send({ type: 'removal.vanish', what: 'last' });
  }, [projects, states, key, addition, allowance, removal, deletion]);

  return useMemo(
    () => ({
      ...{
        updateKey: key,
        addUrls: addition,
        allowOrigin: allowance,
        removeUrl: removal,
        deleteProject: deletion,
      },
      draftOf: (code) => (userId === null ? null : (drafts.read(userId)?.[code] ?? null)),
    }),
    [key, addition, allowance, removal, deletion, userId],
  );
}

/**
 * Closes dialogs of any project other than the shown one, for example after Back. Pending URLs are kept, and a pending
 * request completes first. `null`: no project is shown; `undefined`: not known yet, or the shown one was deleted.
 */
export function useLeaving(dialogs: ProjectDialogs, shownCode: string | null | undefined): void {
  const { updateKey, addUrls, allowOrigin, removeUrl, deleteProject } = dialogs;
  useEffect(() => {
    if (shownCode === undefined) return;
    const isOther = (project: DialogProject | null | undefined) => project && project.code !== shownCode;
    if (isOther(updateKey.getSnapshot().context.project)) {
      updateKey.send({ type: 'update.cancel' });
      updateKey.send({ type: 'dialog.leave' });
    }
    if (isOther(addUrls.getSnapshot().context.project)) addUrls.send({ type: 'dialog.close' });
    if (isOther(allowOrigin.getSnapshot().context.allowance?.project))
      allowOrigin.send({ type: 'allowance.cancel' });
    if (isOther(removeUrl.getSnapshot().context.removal?.project)) removeUrl.send({ type: 'removal.cancel' });
    if (isOther(deleteProject.getSnapshot().context.project)) deleteProject.send({ type: 'deletion.cancel' });
  }, [shownCode, updateKey, addUrls, allowOrigin, removeUrl, deleteProject]);
}
