import { assign, enqueueActions, fromPromise, setup } from 'xstate';
import { isVanished } from '../../api/vanished.error';
import { checkUrl } from '../../ui/url.check';
import type { AddUrlsContext, AddUrlsEvent, AddUrlsNotice, UrlAddition } from './add.urls.types';

const verdictOf = ({ urlText, urls, pending }: AddUrlsContext) => checkUrl(urlText, [...urls, ...pending]);

/** The context without any input. */
export const emptyList = { urlText: '', pending: [], refusal: null, normalized: null, failure: null };

/** Types, guards and actions of the `addUrls` machine; its states are in `add.urls.machine`. */
export const addUrlsSetup = setup({
  types: {
    context: {} as AddUrlsContext,
    events: {} as AddUrlsEvent,
    emitted: {} as AddUrlsNotice,
    tags: {} as 'open' | 'busy' | 'gone',
  },
  actors: {
    saveUrls: fromPromise<void, UrlAddition>(() => {
      throw new Error('addUrls: saveUrls is not provided');
    }),
  },
  guards: {
    hasPending: ({ context }) => context.pending.length > 0,
    hasText: ({ context }) => context.urlText.trim() !== '',
    hasGoodText: ({ context }) => verdictOf(context).ok,
    isTextPending: ({ context: { urlText, urls, pending } }) => {
      const verdict = checkUrl(urlText, urls);
      return verdict.ok && pending.includes(verdict.url);
    },
    isVanished: (_, error: unknown) => isVanished(error),
  },
  actions: {
    open: assign(({ event }) => {
      if (event.type !== 'dialog.open') return {};
      const { project, urls, draft } = event;
      const pending = draft?.pending.filter((url) => !urls.includes(url)) ?? [];
      return { ...emptyList, project, urls, pending, urlText: draft?.urlText ?? '' };
    }),
    typeText: assign((_, urlText: string) => ({ urlText, refusal: null, normalized: null, failure: null })),
    takeUrl: enqueueActions(({ context, enqueue }) => {
      const verdict = verdictOf(context);
      if (verdict.ok) {
        const { url, changed } = verdict;
        enqueue.assign({
          ...emptyList,
          pending: [...context.pending, url],
          normalized: changed ? url : null,
        });
        enqueue.emit({ type: 'url.added', url, isNormalized: changed });
      } else {
        enqueue.assign({ refusal: verdict.code, normalized: null });
        enqueue.emit({ type: 'url.refused', code: verdict.code, text: context.urlText });
      }
    }),
    dropUrl: assign(({ context }, dropped: string) => ({
      pending: context.pending.filter((url) => url !== dropped),
      refusal: null,
      normalized: null,
      failure: null,
    })),
    dropText: assign({ urlText: '', refusal: null }),
    /** Drops pending URLs that have been added in another tab or on another device. */
    followList: assign(({ context }, urls: readonly string[]) => ({
      urls,
      pending: context.pending.filter((url) => !urls.includes(url)),
    })),
    forget: assign(emptyList),
    fail: enqueueActions(({ enqueue }, error: unknown) => {
      enqueue.assign({ failure: error });
      enqueue.emit({ type: 'saving.failed', error });
    }),
  },
});
