/** The subject of a change, or something it belongs to, no longer exists. */
export class VanishedError<What extends string = string> extends Error {
  override readonly name = 'VanishedError';
  constructor(readonly what: What) {
    super(`The ${what} is no longer there`);
  }
}

export const isVanished = (error: unknown): error is VanishedError => error instanceof VanishedError;
