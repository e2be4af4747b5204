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

/** What the creation failed of, in the words of spec §8. */
export function creationFailure(error: unknown): string {
  if (error instanceof NotAuthenticatedError) return error.message;
  if (!(error instanceof HttpError)) {
    return `Failed to create project: 0 - ${error instanceof Error ? failureText(error) : String(error)}`;
  }
  const { status, code, serverMessage } = error;
  const text = serverMessage ?? error.message.slice(`${status}: `.length);
  if (status === 401) return 'Not authenticated';
  const isTaken = code === 'project.nameTaken' || text.includes('already exists');
  if (isTaken && (status === 400 || status === 500)) return 'Project name already taken';
  return `Failed to create project: ${status} - ${text}`;
}
