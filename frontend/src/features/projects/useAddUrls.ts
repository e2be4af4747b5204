import type { Project } from '@orange-id/contract/projects.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { useCallback, useEffect, useMemo } from 'react';
import { fromPromise, type ActorRefFrom } from 'xstate';
import { addWhitelistUrls } from '../../api/projects/add.whitelist.urls';
import { draftStore } from '../../api/projects/draft.storage';
import { useAuth } from '../../api/session/auth.context';
import { inspected, stateName } from '../../inspect/machine.inspect';
import { useToast } from '../../ui/toast';
import { addUrlsMachine } from './add.urls.machine';
import { urlDrafts, type UrlAddition, type UrlDraft } from './add.urls.types';
import { noticeToast } from './project.text';

const drafts = draftStore('whitelistDraft', urlDrafts);

interface AddUrls {
  actor: ActorRefFrom<typeof addUrlsMachine>;
  /** The stored draft of allowed URLs for the project with this code. */
  draftOf: (code: string) => UrlDraft | null;
}

/** Runs the dialog that adds URLs, passes it the project's current URLs, and stores its drafts. */
export function useAddUrls(projects: readonly Project[] | undefined): AddUrls {
  const userId = useAuth().user?.id ?? null;
  const queryClient = useQueryClient();
  const showToast = useToast();
  const logic = useMemo(
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
  const actor = useActorRef(logic, inspected);
  useEffect(() => {
    const toasts = actor.on('*', (notice) => showToast(noticeToast(notice)));
    return () => toasts.unsubscribe();
  }, [actor, showToast]);
  useEffect(() => {
    if (userId === null) return;
    const kept = actor.subscribe(({ context: { project, urlText, pending } }) => {
      // Before the dialog is opened, the stored drafts must stay unchanged.
      if (!project) return;
      const { [project.code]: _, ...others } = drafts.read(userId) ?? {};
      const isEmpty = urlText === '' && pending.length === 0;
      const all = isEmpty ? others : { ...others, [project.code]: { urlText, pending } };
      if (Object.keys(all).length > 0) drafts.store(userId, all);
      else drafts.clear(userId);
    });
    return () => kept.unsubscribe();
  }, [actor, userId]);
  const state = useSelector(actor, ({ value }) => stateName(value));
  useEffect(() => {
    if (!projects) return;
    const { project } = actor.getSnapshot().context;
    const listed = projects.find(({ code }) => code === project?.code);
    if (listed) actor.send({ type: 'whitelist.change', urls: listed.urls });
    else actor.send({ type: 'project.vanish' });
  }, [projects, state, actor]);
  const draftOf = useCallback(
    (code: string) => (userId === null ? null : (drafts.read(userId)?.[code] ?? null)),
    [userId],
  );
  return { actor, draftOf };
}
