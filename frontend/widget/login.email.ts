import { credentialsOf, toOutcome, toFailure } from './login.parts';
import { loginSetup } from './login.setup';

const leaveForm = '#loginPanel.choosing';
const keepEmail = {
  type: 'keepEmail',
  params: ({ event }: { event: { email: string } }) => ({ email: event.email }),
} as const;

/**
 * Email and password within the login machine. A failed form keeps its values. Requesting a reset link ends the same
 * way whether or not an account has that email.
 */
export const emailStates = loginSetup.createStateConfig({
  initial: 'login',
  states: {
    login: {
      on: {
        'form.switch': { guard: 'isSignIn', target: 'register', actions: 'clearFailure' },
        'email.submit': { target: 'loggingIn', actions: keepEmail },
        'password.forget': { guard: 'isSignIn', target: 'forgetting', actions: ['clearFailure', keepEmail] },
        'choice.return': leaveForm,
      },
    },
    register: {
      on: {
        'form.switch': { guard: 'isSignIn', target: 'login', actions: 'clearFailure' },
        'email.submit': 'registering',
        'choice.return': leaveForm,
      },
    },
    loggingIn: {
      tags: 'busy',
      entry: 'clearFailure',
      invoke: {
        src: 'logIn',
        input: ({ event }) => credentialsOf(event),
        onDone: { target: '#loginPanel.redirecting', actions: toOutcome },
        onError: { target: 'login', actions: toFailure },
      },
    },
    registering: {
      tags: 'busy',
      entry: 'clearFailure',
      invoke: {
        src: 'register',
        input: ({ event }) => credentialsOf(event),
        onDone: { target: '#loginPanel.redirecting', actions: toOutcome },
        onError: { target: 'register', actions: toFailure },
      },
    },
    forgetting: {
      on: {
        'reset.submit': { target: 'requestingReset', actions: keepEmail },
        'reset.leave': { target: 'login', actions: 'clearFailure' },
      },
    },
    requestingReset: {
      tags: 'busy',
      entry: 'clearFailure',
      invoke: {
        src: 'requestReset',
        input: ({ context }) => ({ email: context.email }),
        onDone: 'resetSent',
        onError: { target: 'forgetting', actions: toFailure },
      },
    },
    resetSent: {
      on: { 'password.forget': 'forgetting', 'reset.leave': 'login' },
    },
  },
});
