import { HttpError } from './http';

/**
 * An error as a message for users, with what to do about it if the server is at fault. A 4xx response shows the
 * server's message if it contains one; any other error shows its own.
 */
export function failureText(error: unknown): string {
  if (error instanceof HttpError) {
    if (error.status >= 500) return serverFailure(error);
    return error.serverMessage === undefined ? error.message : sentence(error.serverMessage);
  }
  // `fetch` rejects with a TypeError on a network failure.
  if (error instanceof TypeError)
    return 'The server couldn’t be reached. Check your connection and try again.';
  return error instanceof Error ? error.message : String(error);
}

/** A response without one of the portal's codes comes from a proxy in front of it, whose text doesn't help users. */
function serverFailure({ status, code, serverMessage, requestId }: HttpError): string {
  if (code !== undefined && code !== 'server.failed' && serverMessage !== undefined)
    return sentence(serverMessage);
  return status === 500
    ? `Something went wrong on the server. Try again in a minute.${reference(requestId)}`
    : 'The service is unavailable right now. Try again in a minute.';
}

const reference = (requestId: string | undefined): string =>
  requestId === undefined ? '' : ` If it happens again, report it with this id: ${requestId}`;

/** The toast for a profile that couldn't be saved, with the status if there is one. */
export const profileFailure = (error: unknown): string =>
  error instanceof HttpError
    ? `Failed to update profile: ${error.status}`
    : `Failed to update profile. ${failureText(error)}`;

const sentence = (message: string): string => message.replace(/\.?$/, '.');
