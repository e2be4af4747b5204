/** Injection token of the parsed `Environment`. */
export const ENVIRONMENT = Symbol('environment');
