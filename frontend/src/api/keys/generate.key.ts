import { NotAuthenticatedError } from '../projects/create.project';
import { http } from '../http';
import { readAccessToken } from '../token.storage';

/**
 * `POST /devportal/v1/project/generateKey`: returns the project's new key, as plain text; an empty response is an empty
 * string. The old key stops working within 1 s. Throws `NotAuthenticatedError` without a token, otherwise what `http`
 * throws.
 */
export async function generateKey(projectName: string): Promise<string> {
  const token = readAccessToken();
  if (!token) throw new NotAuthenticatedError();
  const key = await http<unknown>({
    path: '/devportal/v1/project/generateKey',
    method: 'POST',
    token,
    body: { projectName },
  });
  return typeof key === 'string' ? key.trim() : '';
}
