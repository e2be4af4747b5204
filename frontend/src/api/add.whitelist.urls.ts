import { whitelistAnswer } from '@orange-id/contract/projects.schema';
import { http } from './http';
import { readAccessToken } from './token.storage';

/** There is no access token to send, or nobody is known to send it for. */
export class MissingCredentialsError extends Error {
  override readonly name = 'MissingCredentialsError';
  constructor() {
    super('Missing authentication credentials or API configuration');
  }
}

interface UrlAddition {
  code: string;
  projectName: string;
  /** In normal form. */
  urls: readonly string[];
  /** Sent because the hosted service names it; who asks is said by the token. */
  userId: string | null;
}

/**
 * `POST /devportal/v1/project/whitelist-urls`: answers the project's whole whitelist after the change.
 * Throws `MissingCredentialsError` without a token or user, else what `http` throws.
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
