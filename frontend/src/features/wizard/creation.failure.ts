import { NotAuthenticatedError } from '../../api/projects/create.project';
import { HttpError } from '../../api/http';
import { answerTimeoutMs, NoAnswerError } from '../../api/no.answer';
import { projectNameSentences } from '../../ui/project.name.text';

/** Whether the creation failed because the name is taken; a remote service reports it only in its message. */
export function isNameTaken(error: unknown): boolean {
  if (!(error instanceof HttpError) || (error.status !== 400 && error.status !== 500)) return false;
  return error.code === 'project.nameTaken' || textOf(error).includes('already exists');
}

/** The sentence that explains why the creation failed and what to do next. */
export function creationFailure(error: unknown): string {
  if (error instanceof NotAuthenticatedError) return error.message;
  // `fetch` rejects with a TypeError when there was no response.
  if (error instanceof TypeError)
    return 'We couldn’t reach the server. Check your connection, then choose Create Project again. Everything you entered is still here.';
  if (error instanceof NoAnswerError)
    return `The server didn’t respond within ${answerTimeoutMs / 1000} s. Your project may have been created: check My Projects before you try again.`;
  if (!(error instanceof HttpError))
    return 'We couldn’t read the server’s response. Your project may have been created: check My Projects before you try again.';
  if (error.status === 401) return 'Not authenticated';
  if (isNameTaken(error)) return projectNameSentences.taken;
  return `Failed to create project: ${error.status} - ${textOf(error)}`;
}

const textOf = ({ serverMessage, message, status }: HttpError): string =>
  serverMessage ?? message.slice(`${status}: `.length);
