import { HttpError } from './http';

/**
 * What failed, for people, and where the server is at fault what to do about it. A refusal reads as the server's own
 * sentence where it sent one; anything else as the error's own message.
 */
export function failureText(error: unknown): string {
  if (error instanceof HttpError) {
    if (error.status >= 500) return serverFailure(error);
    return error.serverMessage === undefined ? error.message : sentence(error.serverMessage);
  }
  // `fetch` rejects with a TypeError when no answer came at all.
  if (error instanceof TypeError)
    return 'The server couldn’t be reached. Check your connection and try again.';
  return error instanceof Error ? error.message : String(error);
}

/** An answer without one of the portal's codes comes from what stands in front of it, whose words are no advice. */
function serverFailure({ status, code, serverMessage }: HttpError): string {
  if (code !== undefined && code !== 'server.failed' && serverMessage !== undefined)
    return sentence(serverMessage);
  return status === 500
    ? 'Something went wrong on the server. Try again in a minute.'
    : 'The service is unavailable right now. Try again in a minute.';
}

/** The toast of a profile that could not be saved, with the status where there is one. */
export const profileFailure = (error: unknown): string =>
  error instanceof HttpError
    ? `Failed to update profile: ${error.status}`
    : `Failed to update profile. ${failureText(error)}`;

const sentence = (message: string): string => message.replace(/\.?$/, '.');
