import { whitelistAnswer } from '@orange-id/contract/projects.schema';
import { http } from '../http';
import { readAccessToken } from '../token.storage';

/** No access token is stored, or the signed-in user isn't known. */
export class MissingCredentialsError extends Error {
  override readonly name = 'MissingCredentialsError';
  constructor() {
    super('Missing authentication credentials or API configuration');
  }
}

interface UrlAddition {
  code: string;
  projectName: string;
  /** Normalized. */
  urls: readonly string[];
  /** The hosted service requires the field; the token alone decides who the caller is. */
  userId: string | null;
}

/**
 * `POST /devportal/v1/project/whitelist-urls`: returns the project's whole whitelist after the change. Throws
 * `MissingCredentialsError` without a token or user, otherwise what `http` throws.
 */
export async function addWhitelistUrls({ userId, ...addition }: UrlAddition): Promise<string[]> {
  const token = readAccessToken();
  if (!token || !userId) throw new MissingCredentialsError();
  const { urls } = await http({
    path: '/devportal/v1/project/whitelist-urls',
    method: 'POST',
    token,
    body: { ...addition, userId },
    schema: whitelistAnswer,
  });
  return urls;
}
