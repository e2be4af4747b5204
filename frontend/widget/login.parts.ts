import type {
  Credentials,
  LoginContext,
  LoginEvent,
  LoginOutcome,
  SecretMethod,
  SocialProvider,
} from './login.types';

/** The login machine's context before a method is chosen. */
export const blank: LoginContext = {
  purpose: 'signIn',
  isElsewhere: false,
  windowMethod: 'email',
  email: '',
  wallet: null,
  pairingUri: null,
  address: null,
  signed: null,
  destination: null,
  failure: null,
};

/**
 * The logic of an actor that was not provided: it rejects with an error that names the actor, instead of pretending to
 * work.
 */
export const unprovided = (name: string) => () =>
  Promise.reject(new Error(`The actor ${name} was not provided`));

export function credentialsOf(event: LoginEvent): Credentials {
  if (event.type !== 'email.submit') throw new Error(`${event.type} carries no credentials`);
  return { email: event.email, password: event.password, passwordConfirm: event.passwordConfirm };
}

/** A value that an earlier state has set; throws if it is missing, which is a defect of the machine. */
export function known<T>(value: T | null): T {
  if (value === null) throw new Error('The login machine reached a state before what it needs');
  return value;
}

/** A choice that the service's own page continues, if this page has another origin. */
export const toWindow = (method: SecretMethod) =>
  ({
    guard: 'isElsewhere',
    target: 'waitingForWindow',
    actions: { type: 'keepWindowMethod', params: { method } },
  }) as const;

/** The action that stores which provider was chosen. */
export const toProvider = {
  type: 'setDestination',
  params: ({ event }: { event: { provider: SocialProvider } }) =>
    ({ kind: 'provider', provider: event.provider }) as const,
} as const;

/** The action that stores an actor's result: tokens go to the callback; after a proof the same page continues. */
export const toOutcome = {
  type: 'setDestination',
  params: ({ event: { output } }: { event: { output: LoginOutcome } }) =>
    output === null ? ({ kind: 'proven' } as const) : ({ kind: 'callback', tokens: output } as const),
} as const;

/** The action that stores why an actor failed. */
export const toFailure = {
  type: 'keepFailure',
  params: ({ event }: { event: { error: unknown } }) => event,
} as const;
