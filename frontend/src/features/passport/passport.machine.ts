import type { VersionInfo } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { assign, fromCallback, fromPromise, setup } from 'xstate';

/** URLs of the stylesheet and the script that the loader loads. */
export interface PassportAssets {
  css: string;
  script: string;
}

type PassportEvent =
  { type: 'panel.shown' } | { type: 'asset.failed'; message: string } | { type: 'passport.retry' };

/** Why the panel is missing. `message` is the loader's error, which contains the URL. */
export interface PassportFailure {
  code: 'version' | 'asset' | 'late';
  message?: string;
}

interface PassportContext {
  isBeta: boolean;
  assets: PassportAssets | null;
  failure: PassportFailure | null;
  /** Number of the attempt; used as a key, so that each one mounts a new loader. */
  attempt: number;
}

/** The beta flag selects the beta assets; a service without them falls back to the normal ones. */
const assetsOf = (version: VersionInfo, isBeta: boolean): PassportAssets =>
  isBeta
    ? { css: version.betaCssUrl ?? version.cssUrl, script: version.betaCdnUrl ?? version.cdnUrl }
    : { css: version.cssUrl, script: version.cdnUrl };

const passportSetup = setup({
  types: {
    context: {} as PassportContext,
    events: {} as PassportEvent,
    input: {} as { isBeta: boolean },
    tags: {} as 'busy' | 'mounted',
  },
  actors: {
    readVersion: fromPromise<VersionInfo | null>(() => {
      throw new Error('passport: readVersion is not provided');
    }),
    watchPanel: fromCallback<PassportEvent, { assets: PassportAssets; pollMs: number }>(() => {
      throw new Error('passport: watchPanel is not provided');
    }),
  },
  actions: {
    takeFailure: assign((_, failure: PassportFailure) => ({ failure })),
    clearFailure: assign({ failure: null }),
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1, failure: null }),
    takeAssets: assign(({ context }, version: VersionInfo) => ({
      assets: assetsOf(version, context.isBeta),
    })),
  },
  guards: { hasVersion: (_, version: VersionInfo | null) => version !== null },
  delays: { assetGuard: limits.loadingGuardMs },
});

const watching = passportSetup.createStateConfig({
  tags: 'mounted',
  invoke: {
    src: 'watchPanel',
    input: ({ context }) => ({
      assets: context.assets ?? { css: '', script: '' },
      pollMs: limits.passportPollMs,
    }),
  },
  on: {
    'panel.shown': { target: '#passport.ready', actions: 'clearFailure' },
    'asset.failed': {
      target: '#passport.failed',
      actions: {
        type: 'takeFailure',
        params: ({ event }) => ({ code: 'asset', message: event.message }),
      },
    },
  },
});

/** Loads the login widget: version info, then its stylesheet and script, then the widget itself. */
export const passportMachine = passportSetup.createMachine({
  id: 'passport',
  context: ({ input }) => ({ isBeta: input.isBeta, assets: null, failure: null, attempt: 1 }),
  initial: 'waitingForVersion',
  states: {
    waitingForVersion: {
      tags: 'busy',
      invoke: {
        src: 'readVersion',
        onDone: [
          {
            guard: { type: 'hasVersion', params: ({ event }) => event.output },
            target: 'loadingAssets',
            actions: { type: 'takeAssets', params: ({ event }) => event.output as VersionInfo },
          },
          {
            target: 'failed',
            actions: { type: 'takeFailure', params: { code: 'version' } },
          },
        ],
        onError: {
          target: 'failed',
          actions: { type: 'takeFailure', params: { code: 'version' } },
        },
      },
    },
    loadingAssets: {
      ...watching,
      tags: ['busy', 'mounted'],
      after: {
        assetGuard: {
          target: 'late',
          actions: { type: 'takeFailure', params: { code: 'late' } },
        },
      },
    },
    /** Not loaded in time. On a slow network the panel may still load, and is shown then. */
    late: {
      ...watching,
      on: { ...watching.on, 'passport.retry': { target: 'waitingForVersion', actions: 'countAttempt' } },
    },
    ready: {
      tags: 'mounted',
      on: {
        'asset.failed': {
          target: 'failed',
          actions: {
            type: 'takeFailure',
            params: ({ event }) => ({ code: 'asset', message: event.message }),
          },
        },
      },
    },
    failed: { on: { 'passport.retry': { target: 'waitingForVersion', actions: 'countAttempt' } } },
  },
});
