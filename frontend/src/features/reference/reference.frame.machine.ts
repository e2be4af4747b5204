import { setup } from 'xstate';
import { answerTimeoutMs } from '../../api/no.answer';

/** Tracks whether the API reference in the frame at `/api` has rendered. If it does not render in time, it has failed. */
export const referenceFrameMachine = setup({
  types: {
    events: {} as
      | { type: 'reference.drawn' }
      /** The frame loaded something other than the reference, or the reference failed to render. */
      | { type: 'reference.failed' }
      | { type: 'reference.retry' },
  },
  delays: { answerPatience: answerTimeoutMs },
}).createMachine({
  id: 'referenceFrame',
  initial: 'loading',
  states: {
    loading: {
      on: { 'reference.drawn': 'shown', 'reference.failed': 'failed' },
      after: { answerPatience: 'failed' },
    },
    shown: {},
    failed: { on: { 'reference.retry': 'loading' } },
  },
});
