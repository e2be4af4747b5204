import { HttpError } from '../http';

/** For lists that a hosted identity service may not offer: a 404 counts as an empty list. Rethrows any other error. */
export function emptyWhereUnknown(error: unknown): [] {
  if (error instanceof HttpError && error.status === 404) return [];
  throw error;
}
