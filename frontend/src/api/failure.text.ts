import { HttpError } from './http';

/** What failed, for people: the status with the server's sentence where it sent one, else the error's own message. */
export function failureText(error: unknown): string {
  if (error instanceof HttpError) {
    return error.serverMessage === undefined ? error.message : `${error.status}: ${error.serverMessage}`;
  }
  // `fetch` rejects with a TypeError when no answer came at all.
  if (error instanceof TypeError)
    return 'The server couldn’t be reached. Check your connection and try again.';
  return error instanceof Error ? error.message : String(error);
}
