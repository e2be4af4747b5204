import type { Credentials, LoginContext, LoginEvent, LoginOutcome, SocialProvider } from './login.types';

/** What the login machine knows before anything was chosen. */
export const blank: LoginContext = {
  purpose: 'signIn',
  email: '',
  wallet: null,
  pairingUri: null,
  address: null,
  signed: null,
  destination: null,
  failure: null,
};

/** The logic of an actor nobody provided: it fails by its name instead of pretending. */
export const unprovided = (name: string) => () =>
  Promise.reject(new Error(`The actor ${name} was not provided`));

export function credentialsOf(event: LoginEvent): Credentials {
  if (event.type !== 'email.submit') throw new Error(`${event.type} carries no credentials`);
  return { email: event.email, password: event.password, passwordConfirm: event.passwordConfirm };
}

/** A value the states before this one have set; its absence is a defect of the machine. */
export function known<T>(value: T | null): T {
  if (value === null) throw new Error('The login machine reached a state before what it needs');
  return value;
}

/** The action that remembers which provider was chosen. */
export const toProvider = {
  type: 'setDestination',
  params: ({ event }: { event: { provider: SocialProvider } }) =>
    ({ kind: 'provider', provider: event.provider }) as const,
} as const;

/** The action that remembers what an actor answered: tokens go to the callback, a proof goes on where it was asked for. */
export const toOutcome = {
  type: 'setDestination',
  params: ({ event: { output } }: { event: { output: LoginOutcome } }) =>
    output === null ? ({ kind: 'proven' } as const) : ({ kind: 'callback', tokens: output } as const),
} as const;

/** The action that remembers why an actor failed. */
export const toFailure = {
  type: 'keepFailure',
  params: ({ event }: { event: { error: unknown } }) => event,
} as const;
