import { NotAuthenticatedError } from './create.project';
import { http } from './http';
import { readAccessToken } from './token.storage';

/**
 * `POST /devportal/v1/project/generateKey`: the project's new key, which is plain text; the old one is dead
 * within 1 s. An empty answer is an empty string. Throws `NotAuthenticatedError` without a token, else what `http` throws.
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
