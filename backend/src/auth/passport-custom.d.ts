/** The package has no types; this declares only what the bearer strategy uses. */
declare module 'passport-custom' {
  export class Strategy {
    constructor(
      options: { passOptionsToCallback: boolean },
      verify: (request: unknown, options: unknown, done: (error: unknown, user?: unknown) => void) => void,
    );
    authenticate(request: unknown, options?: unknown): void;
  }
}
