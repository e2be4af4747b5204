import { NotAuthenticatedError } from '../../api/create.project';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';

/** Whether the creation failed because the name is taken; a remote service says so in words alone (spec §8). */
export function isNameTaken(error: unknown): boolean {
  if (!(error instanceof HttpError) || (error.status !== 400 && error.status !== 500)) return false;
  return error.code === 'project.nameTaken' || textOf(error).includes('already exists');
}

/** What the creation failed of, in the words of spec §8. */
export function creationFailure(error: unknown): string {
  if (error instanceof NotAuthenticatedError) return error.message;
  if (!(error instanceof HttpError)) {
    return `Failed to create project: 0 - ${failureText(error)}`;
  }
  if (error.status === 401) return 'Not authenticated';
  if (isNameTaken(error)) return 'Project name already taken';
  return `Failed to create project: ${error.status} - ${textOf(error)}`;
}

const textOf = ({ serverMessage, message, status }: HttpError): string =>
  serverMessage ?? message.slice(`${status}: `.length);
