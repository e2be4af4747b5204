import { createdProject, type CreatedProject } from '@orange-id/contract/projects.schema';
import { http } from '../http';
import { readAccessToken } from '../token.storage';

/** No access token is stored. */
export class NotAuthenticatedError extends Error {
  override readonly name = 'NotAuthenticatedError';
  constructor() {
    super('Not authenticated');
  }
}

/**
 * `POST /devportal/v1/project`. `urls` are normalized; `source` is sent only if one was remembered. Throws
 * `NotAuthenticatedError` without a token, otherwise what `http` throws.
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
