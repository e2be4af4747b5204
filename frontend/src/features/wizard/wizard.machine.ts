import { profileGaps } from '@orange-id/contract/profile.rule';
import type { CreatedProject } from '@orange-id/contract/projects.schema';
import { tidyLine } from '@orange-id/contract/text.rule';
import { checkNewUrl } from '@orange-id/contract/whitelist.rule';
import { assign, emit, enqueueActions, fromPromise, not, setup } from 'xstate';
import type { WizardDraft } from './wizard.draft';
import { projectNameVerdict } from './wizard.rules';
import type { NewProject, WizardContext, WizardEvent, WizardNotice } from './wizard.types';

/** The three steps of making a project (spec §4): naming, addingUrls and creating, summarised. */
export const wizardMachine = setup({
  types: {
    context: {} as WizardContext,
    input: {} as { draft: WizardDraft },
    events: {} as WizardEvent,
    emitted: {} as WizardNotice,
  },
  actors: {
    createProject: fromPromise<CreatedProject, NewProject>(() => {
      throw new Error('wizard: createProject is not provided');
    }),
  },
  guards: {
    hasName: ({ context }) => projectNameVerdict(context.projectName).ok,
    hasCompleteProfile: ({ event }) => 'profile' in event && profileGaps(event.profile).length === 0,
    hasUrls: ({ context }) => context.urls.length > 0,
    hasRefusableUrlText: ({ context }) =>
      context.urlText.trim() !== '' && !checkNewUrl(context.urlText, context.urls).ok,
    hasListedUrlText: ({ context }) => {
      const verdict = checkNewUrl(context.urlText, context.urls);
      return !verdict.ok && verdict.code === 'duplicate';
    },
    hasUrlText: ({ context }) => context.urlText.trim() !== '',
    hasCreated: ({ context }) => context.created !== null,
    isStartedAtUrls: ({ context }) => context.startsAtUrls && projectNameVerdict(context.projectName).ok,
  },
  actions: {
    refuseName: enqueueActions(({ context, enqueue }) => {
      const verdict = projectNameVerdict(context.projectName);
      if (verdict.ok) return;
      enqueue.assign({ nameRefusal: verdict.code });
      enqueue.emit({ type: 'name.refused', code: verdict.code });
    }),
    refuseProfile: enqueueActions(({ event, enqueue }) => {
      enqueue.assign({ isProfileNeeded: true });
      enqueue.emit({ type: 'profile.refused', gaps: 'profile' in event ? profileGaps(event.profile) : [] });
    }),
    takeUrl: enqueueActions(({ context, enqueue }) => {
      const verdict = checkNewUrl(context.urlText, context.urls);
      if (verdict.ok) {
        enqueue.assign({ urls: [...context.urls, verdict.url], urlText: '', urlRefusal: null });
        enqueue.emit({ type: 'url.added', url: verdict.url });
      } else {
        enqueue.assign({ urlRefusal: verdict.code });
        enqueue.emit({ type: 'url.refused', code: verdict.code });
      }
    }),
    dropUrlText: assign({ urlText: '', urlRefusal: null }),
    forgetRefusal: assign({ isProfileNeeded: false }),
  },
}).createMachine({
  id: 'wizard',
  context: ({ input: { draft } }) => ({
    projectName: draft.projectName,
    urlText: draft.urlText,
    urls: draft.urls,
    startsAtUrls: draft.step === 'addingUrls',
    nameRefusal: null,
    urlRefusal: null,
    isProfileNeeded: false,
    failure: null,
    created: null,
  }),
  initial: 'opening',
  states: {
    opening: { always: [{ guard: 'isStartedAtUrls', target: 'addingUrls' }, { target: 'naming' }] },
    naming: {
      on: {
        'name.change': {
          actions: assign({ projectName: ({ event }) => event.text, nameRefusal: null, failure: null }),
        },
        'name.submit': [
          { guard: not('hasName'), actions: 'refuseName' },
          { guard: not('hasCompleteProfile'), actions: 'refuseProfile' },
          { target: 'addingUrls', actions: 'forgetRefusal' },
        ],
      },
    },
    addingUrls: {
      on: {
        'url.change': { actions: assign({ urlText: ({ event }) => event.text, urlRefusal: null }) },
        'url.add': { actions: 'takeUrl' },
        'url.remove': {
          actions: assign({
            urls: ({ context, event }) => context.urls.filter((url) => url !== event.url),
            // It may have spoken of the URL that is gone, and adding asks again.
            urlRefusal: null,
          }),
        },
        'step.back': { target: 'naming' },
        'summary.open': { guard: 'hasCreated', target: 'summarised' },
        'project.create': [
          { guard: not('hasUrls'), actions: emit({ type: 'urls.missing' }) },
          { guard: not('hasCompleteProfile'), actions: 'refuseProfile' },
          // A leftover that is in the list already adds nothing and hinders nothing.
          { guard: 'hasListedUrlText', target: 'creating', actions: ['dropUrlText', 'forgetRefusal'] },
          { guard: 'hasRefusableUrlText', actions: 'takeUrl' },
          // A URL typed but not yet added is meant for the project all the same: nothing typed is lost.
          { guard: 'hasUrlText', target: 'creating', actions: ['takeUrl', 'forgetRefusal'] },
          { target: 'creating', actions: 'forgetRefusal' },
        ],
      },
    },
    creating: {
      entry: assign({ failure: null }),
      invoke: {
        src: 'createProject',
        input: ({ context: { projectName, urls } }) => ({ projectName: tidyLine(projectName), urls }),
        onDone: {
          target: 'summarised',
          actions: assign({
            created: ({ context: { projectName, urls }, event }) => ({
              projectName: tidyLine(projectName),
              urls,
              ...event.output,
            }),
          }),
        },
        onError: {
          target: 'addingUrls',
          actions: [
            assign({ failure: ({ event }) => event.error }),
            emit(({ event }) => ({ type: 'creation.failed', error: event.error })),
          ],
        },
      },
    },
    summarised: { on: { 'step.back': { target: 'addingUrls' } } },
  },
});
