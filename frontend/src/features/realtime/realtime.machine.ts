import { assign, emit } from 'xstate';
import { realtimeSetup } from './realtime.setup';

const attempting = {
  entry: 'openSocket',
  on: { 'socket.opened': { target: '#realtime.live', actions: 'takePlace' } },
  after: { connectTimeout: '#realtime.reconnecting.waiting' },
} as const;

/** The live connection. It is `live` only while the server responds. */
export const realtimeMachine = realtimeSetup.createMachine({
  id: 'realtime',
  context: ({ input: { isOnline, now = Date.now } }) => {
    const before = { session: null, held: null, head: 0, waiting: [], attempt: 0, heardAt: null };
    return { ...before, isOnline, isWatching: false, now };
  },
  initial: 'stopped',
  on: {
    'session.changed': [
      { guard: 'isSignedOut', target: '.stopped', actions: 'takeSession' },
      { target: '.connecting', actions: 'takeSession' },
    ],
    'network.changed': { actions: assign({ isOnline: ({ event }) => event.isOnline }) },
    'forum.watch': { actions: 'watchForum' },
    'socket.failed': { guard: 'hasSession', target: '.reconnecting.waiting' },
    // If a session ended during a disconnection, only the refused token shows it.
    'socket.refused': { target: '.stopped', actions: emit({ type: 'session.ended' }) },
    'session.ended': { target: '.stopped', actions: emit({ type: 'session.ended' }) },
  },
  states: {
    stopped: { entry: 'closeSocket' },
    connecting: attempting,
    live: {
      initial: 'current',
      always: [
        { guard: 'isOffline', target: 'reconnecting.offline' },
        { guard: 'isTooFarBehind', target: '.current', actions: 'skipToHead' },
      ],
      after: { steadyAfter: { actions: assign({ attempt: 0 }) } },
      on: {
        'socket.heard': { actions: assign({ heardAt: ({ context }) => context.now() }) },
        'rows.pushed': { actions: { type: 'takeRows', params: ({ event }) => event.rows } },
        'summary.pushed': { target: '.current', actions: 'skipToHead' },
        'keys.changed': { actions: emit(({ event }) => event) },
        'project.changed': { actions: emit(({ event }) => event) },
        'forum.changed': { actions: emit(({ event }) => event) },
      },
      states: {
        current: {
          always: { guard: 'hasGap', target: 'catchingUp' },
          after: { missingPatience: { guard: 'isBehind', target: 'catchingUp' } },
        },
        catchingUp: {
          invoke: {
            src: 'readMissed',
            input: ({ context: { session, held, head, waiting } }) => ({
              token: session?.token ?? '',
              after: held ?? 0,
              to: waiting[0] ? waiting[0].seq - 1 : head,
            }),
            onDone: {
              target: 'current',
              actions: [{ type: 'takeRows', params: ({ event }) => event.output }, 'giveUpGone'],
            },
            onError: '#realtime.reconnecting.waiting',
          },
        },
      },
    },
    reconnecting: {
      initial: 'waiting',
      states: {
        waiting: {
          entry: ['closeSocket', assign({ attempt: ({ context }) => context.attempt + 1, waiting: [] })],
          always: { guard: 'isOffline', target: 'offline' },
          on: { 'page.shown': 'trying' },
          after: { backoff: 'trying' },
        },
        offline: {
          entry: ['closeSocket', assign({ attempt: 0, waiting: [] })],
          always: { guard: 'isOnline', target: 'trying' },
          after: { offlineProbe: 'trying' },
        },
        trying: attempting,
      },
    },
  },
});
