import { frameTimeoutMs } from '@orange-id/contract/configurator.protocol';
import { setup } from 'xstate';

/**
 * The frame of the configurator at /customisation: whether it has answered (it has failed if it does not in time), and
 * whether it fills the screen. The editor inside the frame has a machine of its own.
 */
export const configuratorFrameMachine = setup({
  types: {
    events: {} as
      | { type: 'frame.answer' }
      | { type: 'frame.fail' }
      | { type: 'frame.retry' }
      | { type: 'screen.fill' }
      | { type: 'screen.leave' },
  },
  delays: { answerPatience: frameTimeoutMs },
}).createMachine({
  id: 'configuratorFrame',
  type: 'parallel',
  states: {
    connection: {
      initial: 'loading',
      states: {
        loading: {
          on: { 'frame.answer': 'connected', 'frame.fail': 'failed' },
          after: { answerPatience: 'failed' },
        },
        connected: { on: { 'frame.retry': 'loading', 'frame.fail': 'failed' } },
        failed: { on: { 'frame.retry': 'loading' } },
      },
    },
    screen: {
      initial: 'inPage',
      states: {
        inPage: { on: { 'screen.fill': 'filling' } },
        filling: { on: { 'screen.leave': 'inPage' } },
      },
    },
  },
});
