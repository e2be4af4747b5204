import { HttpError } from './http';

/** For a list that a hosted identity service need not have: its 404 is an empty one. Throws any other error again. */
export function emptyWhereUnknown(error: unknown): [] {
  if (error instanceof HttpError && error.status === 404) return [];
  throw error;
}
