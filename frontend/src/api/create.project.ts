import { createdProject, type CreatedProject } from '@orange-id/contract/projects.schema';
import { failureText } from './failure.text';
import { http, HttpError } from './http';
import { readAccessToken } from './token.storage';

/** There is no access token to send. */
export class NotAuthenticatedError extends Error {
  override readonly name = 'NotAuthenticatedError';
  constructor() {
    super('Not authenticated');
  }
}

/**
 * `POST /devportal/v1/project` (spec §7). `urls` in normal form; `source` only where one was remembered.
 * Throws `NotAuthenticatedError` without a token, else what `http` throws.
 */
export async function createProject({
  projectName,
  urls,
  source,
}: {
  projectName: string;
  urls: readonly string[];
  source: string | null;
}): Promise<CreatedProject> {
  const token = readAccessToken();
  if (!token) throw new NotAuthenticatedError();
  return http({
    path: '/devportal/v1/project',
    method: 'POST',
    token,
    body: { projectName, whitelistURL: urls, ...(source === null ? {} : { source }) },
    schema: createdProject,
  });
}

/** Whether the creation failed because the name is taken; a remote service says so in words alone (spec §8). */
export function isNameTaken(error: unknown): boolean {
  if (!(error instanceof HttpError) || (error.status !== 400 && error.status !== 500)) return false;
  return error.code === 'project.nameTaken' || textOf(error).includes('already exists');
}

/** What the creation failed of, in the words of spec §8. */
export function creationFailure(error: unknown): string {
  if (error instanceof NotAuthenticatedError) return error.message;
  if (!(error instanceof HttpError)) {
    return `Failed to create project: 0 - ${error instanceof Error ? failureText(error) : String(error)}`;
  }
  if (error.status === 401) return 'Not authenticated';
  if (isNameTaken(error)) return 'Project name already taken';
  return `Failed to create project: ${error.status} - ${textOf(error)}`;
}

const textOf = ({ serverMessage, message, status }: HttpError): string =>
  serverMessage ?? message.slice(`${status}: `.length);
