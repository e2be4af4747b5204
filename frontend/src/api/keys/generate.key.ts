import type { QueryClient } from '@tanstack/react-query';
import { changeProject, currentlyNamed, patchProject, type NamedProject } from '../projects/change.project';
import { NotAuthenticatedError } from '../projects/create.project';
import { http } from '../http';
import { readAccessToken } from '../token.storage';

/**
 * `POST /devportal/v1/project/generateKey`: returns the project's new key, as plain text; an empty response is an empty
 * string. The old key stops working within 1 s. Throws `NotAuthenticatedError` without a token, `VanishedError` if the
 * project no longer exists, otherwise what `http` throws.
 */
export const generateKey = (queryClient: QueryClient, project: NamedProject): Promise<string> =>
  changeProject(queryClient, async () => {
    const token = readAccessToken();
    if (!token) throw new NotAuthenticatedError();
    const answer = await http<unknown>({
      path: '/devportal/v1/project/generateKey',
      method: 'POST',
      token,
      body: { projectName: currentlyNamed(queryClient, project).projectName },
    });
    const apiKey = typeof answer === 'string' ? answer.trim() : '';
    if (apiKey !== '') patchProject(queryClient, project, () => ({ apiKey }));
    return apiKey;
  });
