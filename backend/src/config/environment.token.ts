/** Injection token of the parsed `Environment`. */
export const ENVIRONMENT = Symbol('environment');

/** Injection token of the `LoaderFile`; `undefined` if the widget isn't built. */
export const LOADER = Symbol('loader');
