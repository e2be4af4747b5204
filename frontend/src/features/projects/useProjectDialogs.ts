import type { Project } from '@orange-id/contract/projects.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { useCallback, useEffect, useMemo } from 'react';
import { fromPromise, type ActorRefFrom } from 'xstate';
import { useAuth } from '../../api/session/auth.context';
import { useConfig } from '../../api/config/config.context';
import { addWhitelistUrls } from '../../api/projects/add.whitelist.urls';
import { deleteProject } from '../../api/projects/delete.project';
import { draftStore } from '../../api/projects/draft.storage';
import { generateKey } from '../../api/keys/generate.key';
import { removeWhitelistUrl } from '../../api/projects/remove.whitelist.url';
import { inspected } from '../../inspect/machine.inspect';
import { useToast } from '../../ui/toast';
import { useSubmission } from '../../ui/useSubmission';
import { addUrlsMachine } from './add.urls.machine';
import { urlDrafts, type UrlAddition, type UrlDraft } from './add.urls.types';
import type { DialogProject } from './dialog.errors';
import {
  allowOriginMachine,
  deleteProjectMachine,
  removeUrlMachine,
  type ProjectUrl,
} from './project.changes.machine';
import {
  additionFailure,
  deletionFailure,
  deletionToast,
  noticeToast,
  removalFailure,
  urlsAddedToast,
} from './project.text';
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
  onDeleted: () => void,
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
          rotateKey: fromPromise<string, DialogProject>(({ input }) => generateKey(queryClient, input)),
        },
      }),
    [queryClient],
  );
  const additionLogic = useMemo(
    () =>
      addUrlsMachine.provide({
        actors: {
          saveUrls: fromPromise<void, UrlAddition>(({ input }) =>
            addWhitelistUrls(queryClient, { ...input, userId }),
          ),
        },
      }),
    [queryClient, userId],
  );
  const key = useActorRef(keyLogic, inspected);
  const addition = useActorRef(additionLogic, inspected);
  useEffect(() => {
    const tell = (notice: Parameters<typeof noticeToast>[0]) => showToast(noticeToast(notice));
    const subscriptions = [key.on('*', tell), addition.on('*', tell)];
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [key, addition, showToast]);

  const showFailure = (description: string) => showToast({ tone: 'error', title: 'Error', description });
  const allow = useCallback(
    ({ project, url }: ProjectUrl) => addWhitelistUrls(queryClient, { project, urls: [url], userId }),
    [queryClient, userId],
  );
  const allowance = useSubmission(allowOriginMachine, allow, {
    onDone: () => showToast(urlsAddedToast),
    onFailed: (error) => showFailure(additionFailure(error)),
  });
  const remove = useCallback(
    (removal: ProjectUrl) => removeWhitelistUrl(queryClient, removal),
    [queryClient],
  );
  const removal = useSubmission(removeUrlMachine, remove, {
    onDone: () => showToast({ tone: 'success', title: 'Whitelist URL removed successfully' }),
    onFailed: (error) => showFailure(removalFailure(error)),
  });
  const removeWhole = useCallback(
    (project: DialogProject) => deleteProject(queryClient, project, features.embeddedProjects),
    [queryClient, features.embeddedProjects],
  );
  const deletion = useSubmission(deleteProjectMachine, removeWhole, {
    onDone: (project) => {
      showToast(deletionToast(project.projectName, !features.embeddedProjects));
      onDeleted();
    },
    onFailed: (error) => showFailure(deletionFailure(error)),
  });

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
    const added = find(addition.getSnapshot().context.project);
    if (added) addition.send({ type: 'whitelist.change', urls: added.urls });
    else addition.send({ type: 'project.vanish' });

    const vanish = 'submission.vanish';
    const wanted = allowance.getSnapshot().context.subject;
    const wanting = find(wanted?.project);
    if (!wanting) allowance.send({ type: vanish, what: 'project' });
    else if (wanted && wanting.urls.includes(wanted.url)) allowance.send({ type: vanish, what: 'url' });
    const unwanted = removal.getSnapshot().context.subject;
    const losing = find(unwanted?.project);
    if (!losing) removal.send({ type: vanish, what: 'project' });
    else if (unwanted && !losing.urls.includes(unwanted.url)) removal.send({ type: vanish, what: 'url' });
    else if (losing.urls.length === 1) removal.send({ type: vanish, what: 'last' });
    if (!find(deletion.getSnapshot().context.subject)) deletion.send({ type: vanish, what: 'project' });
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
    const cancel = { type: 'submission.cancel' } as const;
    if (isOther(allowOrigin.getSnapshot().context.subject?.project)) allowOrigin.send(cancel);
    if (isOther(removeUrl.getSnapshot().context.subject?.project)) removeUrl.send(cancel);
    if (isOther(deleteProject.getSnapshot().context.subject)) deleteProject.send(cancel);
  }, [shownCode, updateKey, addUrls, allowOrigin, removeUrl, deleteProject]);
}
