import { and, assign, emit, not } from 'xstate';
import { failureOf } from '../../ui/submission';
import { addUrlsSetup, emptyList } from './add.urls.setup';

const opening = addUrlsSetup.createStateConfig({
  on: { 'dialog.open': { target: '#addUrls.collecting', actions: 'open' } },
});

/**
 * Adds URLs to a project's allowed URLs: the dialog collects a list and saves it in one call. Closing the dialog
 * keeps the list for the next time.
 */
export const addUrlsMachine = addUrlsSetup.createMachine({
  id: 'addUrls',
  context: { project: null, urls: [], ...emptyList },
  initial: 'closed',
  states: {
    closed: opening,
    collecting: {
      tags: 'open',
      on: {
        'url.change': { actions: { type: 'typeText', params: ({ event }) => event.text } },
        'url.add': { actions: 'takeUrl' },
        'url.remove': { actions: { type: 'dropUrl', params: ({ event }) => event.url } },
        'whitelist.change': { actions: { type: 'followList', params: ({ event }) => event.urls } },
        'urls.save': [
          { guard: 'isTextPending', target: 'working', actions: 'dropText' },
          { guard: and([not('hasText'), 'hasPending']), target: 'working' },
          // A valid URL left in the field is added, so that no input is lost.
          { guard: 'hasGoodText', target: 'working', actions: 'takeUrl' },
          { actions: 'takeUrl' },
        ],
        'dialog.close': 'closed',
        'project.vanish': 'vanished',
      },
    },
    working: {
      tags: ['open', 'busy'],
      entry: assign({ failure: null }),
      invoke: {
        src: 'saveUrls',
        input: ({ context: { project, pending } }) => {
          if (!project) throw new Error('addUrls: no project was chosen');
          return { project, urls: pending };
        },
        onDone: { target: 'succeeded', actions: ['forget', emit({ type: 'urls.saved' })] },
        onError: [
          { guard: { type: 'isVanished', params: failureOf }, target: 'vanished' },
          { target: 'failed', actions: { type: 'fail', params: failureOf } },
        ],
      },
    },
    failed: {
      tags: 'open',
      on: {
        'url.change': {
          target: 'collecting',
          actions: { type: 'typeText', params: ({ event }) => event.text },
        },
        'url.add': { target: 'collecting', actions: 'takeUrl' },
        'url.remove': {
          target: 'collecting',
          actions: { type: 'dropUrl', params: ({ event }) => event.url },
        },
        'whitelist.change': { actions: { type: 'followList', params: ({ event }) => event.urls } },
        'urls.save': [
          { guard: 'hasPending', target: 'working' },
          { target: 'collecting', actions: 'takeUrl' },
        ],
        'dialog.close': 'closed',
        'project.vanish': 'vanished',
      },
    },
    succeeded: opening,
    vanished: { tags: ['open', 'gone'], on: { 'dialog.close': { target: 'closed', actions: 'forget' } } },
  },
});
