import { whitelistAnswer } from '@orange-id/contract/projects.schema';
import type { QueryClient } from '@tanstack/react-query';
import { http } from '../http';
import { readAccessToken } from '../token.storage';
import { changeProject, currentlyNamed, patchProject, type NamedProject } from './change.project';

/** No access token is stored, or the signed-in user isn't known. */
export class MissingCredentialsError extends Error {
  override readonly name = 'MissingCredentialsError';
  constructor() {
    super('Missing authentication credentials or API configuration');
  }
}

interface UrlAddition {
  project: NamedProject;
  /** Normalized. */
  urls: readonly string[];
  /** The hosted service requires the field; the token alone decides who the caller is. */
  userId: string | null;
}

/**
 * `POST /devportal/v1/project/whitelist-urls`: adds URLs to the project's whitelist. Throws `MissingCredentialsError`
 * without a token or user, `VanishedError` if the project no longer exists, otherwise what `http` throws.
 */
export const addWhitelistUrls = (
  queryClient: QueryClient,
  { project, urls: added, userId }: UrlAddition,
): Promise<void> =>
  changeProject(queryClient, async () => {
    const token = readAccessToken();
    if (!token || !userId) throw new MissingCredentialsError();
    const { urls } = await http({
      path: '/devportal/v1/project/whitelist-urls',
      method: 'POST',
      token,
      body: { ...currentlyNamed(queryClient, project), urls: added, userId },
      schema: whitelistAnswer,
    });
    patchProject(queryClient, project, () => ({ urls }));
  });
