import { profileGaps } from '@orange-id/contract/profile.rule';
import type { ProfileUpdate } from '@orange-id/contract/profile.schema';
import type { CreatedProject } from '@orange-id/contract/projects.schema';
import { nameKey, tidyLine } from '@orange-id/contract/text.rule';
import { assign, emit, enqueueActions, fromPromise, not, setup } from 'xstate';
import { checkUrl } from '../../ui/url.check';
import type { WizardDraft } from './wizard.draft';
import { profileFilling, profileTextRefusals, projectNameVerdict } from './wizard.rules';
import type { NewProject, ReadyProject, WizardContext, WizardEvent, WizardNotice } from './wizard.types';

/**
 * Creates a project in three steps: name (naming, which also asks for missing profile fields), URLs (addingUrls, then
 * creating) and summary. Back shows the URLs read-only (reviewing); a reload fetches the project by its id (recalling).
 */
export const wizardMachine = setup({
  types: {
    context: {} as WizardContext,
    input: {} as { draft: WizardDraft; recalledId?: string | null },
    events: {} as WizardEvent,
    emitted: {} as WizardNotice,
    tags: {} as 'busy',
  },
  actors: {
    saveProfile: fromPromise<void, ProfileUpdate>(() => {
      throw new Error('wizard: saveProfile is not provided');
    }),
    createProject: fromPromise<CreatedProject, NewProject>(() => {
      throw new Error('wizard: createProject is not provided');
    }),
    /** Resolves with `null` if the user has no such project. */
    readProject: fromPromise<ReadyProject | null, string>(() => {
      throw new Error('wizard: readProject is not provided');
    }),
  },
  guards: {
    isRecalled: ({ context }) => context.recalledId !== null,
    hasName: ({ context }) => projectNameVerdict(context.projectName).ok,
    hasCompleteProfile: ({ event }) => 'profile' in event && profileGaps(event.profile).length === 0,
    hasProfileTexts: ({ context, event }) =>
      'profile' in event &&
      Object.keys(profileTextRefusals(event.profile, context.profileTexts)).length === 0,
    hasUrls: ({ context: { urls, urlText } }) => urls.length > 0 || checkUrl(urlText, urls).ok,
    hasRefusableUrlText: ({ context }) =>
      context.urlText.trim() !== '' && !checkUrl(context.urlText, context.urls).ok,
    hasListedUrlText: ({ context }) => {
      const verdict = checkUrl(context.urlText, context.urls);
      return !verdict.ok && verdict.code === 'duplicate';
    },
    hasUrlText: ({ context }) => context.urlText.trim() !== '',
    hasCreated: ({ context }) => context.created !== null,
    isCreatedName: ({ context: { created, projectName } }) => created?.projectName === tidyLine(projectName),
    isNameTaken: ({ context: { projectName }, event }) =>
      event.type === 'name.submit' &&
      event.taken?.some((name) => nameKey(name) === nameKey(projectName)) === true,
    isStartedAtUrls: ({ context }) => context.startsAtUrls && projectNameVerdict(context.projectName).ok,
    isFound: (_, project: ReadyProject | null) => project !== null,
  },
  actions: {
    leaveStep: emit({ type: 'step.left' }),
    refuseName: enqueueActions(({ context, enqueue }) => {
      const verdict = projectNameVerdict(context.projectName);
      if (verdict.ok) return;
      enqueue.assign({ nameRefusal: verdict.code });
      enqueue.emit({ type: 'name.refused', code: verdict.code });
    }),
    /** Marks the invalid profile fields without a notice: the notice is about the name. */
    markProfile: assign(({ context, event }) =>
      'profile' in event ? { profileRefusals: profileTextRefusals(event.profile, context.profileTexts) } : {},
    ),
    refuseProfile: enqueueActions(({ context, event, enqueue }) => {
      if (!('profile' in event)) return;
      const profileRefusals = profileTextRefusals(event.profile, context.profileTexts);
      enqueue.assign({ profileRefusals });
      const missing = profileGaps(event.profile).filter((part) => profileRefusals[part] === 'required');
      if (missing.length > 0) enqueue.emit({ type: 'profile.refused', gaps: missing });
    }),
    takeUrl: enqueueActions(({ context, enqueue }) => {
      const verdict = checkUrl(context.urlText, context.urls);
      if (verdict.ok) {
        enqueue.assign({ urls: [...context.urls, verdict.url], urlText: '', urlRefusal: null });
        enqueue.emit({ type: 'url.added', url: verdict.url });
      } else {
        enqueue.assign({ urlRefusal: verdict.code });
        enqueue.emit({ type: 'url.refused', code: verdict.code, text: context.urlText });
      }
    }),
    dropUrlText: assign({ urlText: '', urlRefusal: null }),
    /** Keeps the draft of the next project, if there is one. */
    takeRecalled: assign(({ context }, project: ReadyProject | null) => {
      if (project === null) return {};
      const { projectName, urls } = project;
      return { created: project, ...(context.projectName === '' ? { projectName, urls } : {}) };
    }),
  },
}).createMachine({
  id: 'wizard',
  context: ({ input: { draft, recalledId = null } }) => ({
    projectName: draft.projectName,
    urlText: draft.urlText,
    urls: draft.urls,
    startsAtUrls: draft.step === 'addingUrls',
    profileTexts: draft.profileTexts,
    profileRefusals: {},
    profileFailure: null,
    nameRefusal: null,
    urlRefusal: null,
    failure: null,
    created: null,
    recalledId,
  }),
  initial: 'opening',
  states: {
    opening: {
      always: [
        { guard: 'isRecalled', target: 'recalling' },
        { guard: 'isStartedAtUrls', target: 'addingUrls' },
        { target: 'naming' },
      ],
    },
    recalling: {
      invoke: {
        src: 'readProject',
        input: ({ context }) => context.recalledId ?? '',
        onDone: [
          {
            guard: { type: 'isFound', params: ({ event }) => event.output },
            target: 'summarised',
            actions: { type: 'takeRecalled', params: ({ event }) => event.output },
          },
          { target: 'opening', actions: assign({ recalledId: null }) },
        ],
        onError: { target: 'recallFailed', actions: assign({ failure: ({ event }) => event.error }) },
      },
    },
    recallFailed: {
      exit: assign({ failure: null }),
      on: { 'recall.retry': 'recalling' },
    },
    naming: {
      exit: 'leaveStep',
      on: {
        'name.change': {
          actions: assign({ projectName: ({ event }) => event.text, nameRefusal: null, failure: null }),
        },
        'profile.change': {
          actions: assign(({ context, event }) => ({
            profileTexts: { ...context.profileTexts, [event.part]: event.text },
            profileRefusals: { ...context.profileRefusals, [event.part]: undefined },
            profileFailure: null,
          })),
        },
        'name.submit': [
          { guard: not('hasName'), actions: ['refuseName', 'markProfile'] },
          { guard: 'isCreatedName', target: 'reviewing' },
          {
            guard: 'isNameTaken',
            actions: [
              assign({ nameRefusal: 'taken' }),
              emit({ type: 'name.refused', code: 'taken' }),
              'markProfile',
            ],
          },
          { guard: 'hasCompleteProfile', target: 'addingUrls' },
          { guard: 'hasProfileTexts', target: 'savingProfile' },
          { actions: 'refuseProfile' },
        ],
      },
    },
    savingProfile: {
      tags: 'busy',
      entry: assign({ profileRefusals: {}, profileFailure: null }),
      invoke: {
        src: 'saveProfile',
        input: ({ context, event }) =>
          profileFilling('profile' in event ? event.profile : {}, context.profileTexts),
        onDone: {
          target: 'addingUrls',
          actions: assign({ profileTexts: { email: '', displayName: '' } }),
        },
        onError: {
          target: 'naming',
          actions: [
            assign({ profileFailure: ({ event }) => event.error }),
            emit(({ event }) => ({ type: 'profile.failed', error: event.error })),
          ],
        },
      },
    },
    addingUrls: {
      exit: 'leaveStep',
      on: {
        'url.change': { actions: assign({ urlText: ({ event }) => event.text, urlRefusal: null }) },
        'url.add': { actions: 'takeUrl' },
        'url.remove': {
          actions: assign({
            urls: ({ context, event }) => context.urls.filter((url) => url !== event.url),
            // The error may be about the removed URL; `url.add` checks again.
            urlRefusal: null,
          }),
        },
        'step.back': { target: 'naming' },
        'summary.open': { guard: 'hasCreated', target: 'summarised' },
        'project.create': [
          { guard: not('hasUrls'), actions: emit({ type: 'urls.missing' }) },
          // The profile was emptied after the first step, which asks for the missing fields.
          { guard: not('hasCompleteProfile'), target: 'naming', actions: 'refuseProfile' },
          // A URL left in the field that is already in the list doesn't block the creation.
          { guard: 'hasListedUrlText', target: 'creating', actions: 'dropUrlText' },
          { guard: 'hasRefusableUrlText', actions: 'takeUrl' },
          // A valid URL left in the field is added, so that no input is lost.
          { guard: 'hasUrlText', target: 'creating', actions: 'takeUrl' },
          { target: 'creating' },
        ],
      },
    },
    creating: {
      tags: 'busy',
      entry: assign({ failure: null }),
      exit: 'leaveStep',
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
    summarised: { on: { 'step.back': { target: 'reviewing' } } },
    reviewing: {
      on: {
        'step.back': { target: 'naming' },
        'summary.open': { target: 'summarised' },
      },
    },
  },
});
