import { MissingCredentialsError } from '../../api/projects/add.whitelist.urls';
import { NotAuthenticatedError } from '../../api/projects/create.project';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import type { ToastMessage } from '../../ui/toast';
import { urlSentenceOf, urlTitle } from '../../ui/url.text';
import type { AddUrlsNotice } from './add.urls.types';
import { EmptyKeyError } from './dialog.errors';
import type { UpdateKeyNotice } from './update.key.machine';

/** The dialog's sentence for a rejected URL. */
export const urlSentence = urlSentenceOf({
  unparseable: 'Please enter a valid URL (e.g., https://example.com)',
  duplicate: 'This URL is already whitelisted for this project',
});

export const normalizedSentence = (url: string): string => `URL normalized to: ${url}`;

/** Whether the call failed because the user is signed out. */
const isSignedOut = (error: unknown): boolean =>
  error instanceof NotAuthenticatedError || (error instanceof HttpError && error.status === 401);

const signedOutOfKeys = { title: 'Authentication Error', description: 'Please login to update API key' };
const noKeyReceived = 'No new API key received';

/** The dialog's sentence for a key that could not be generated. */
export function keyFailure(error: unknown): string {
  if (isSignedOut(error)) return `${signedOutOfKeys.title}: ${signedOutOfKeys.description}`;
  if (error instanceof EmptyKeyError) return noKeyReceived;
  return `Failed to update API key: ${failureText(error)}`;
}

/** The sentence for URLs that could not be added. */
export function additionFailure(error: unknown): string {
  if (error instanceof MissingCredentialsError) return error.message;
  if (!(error instanceof HttpError)) return `Failed to add whitelist URLs: ${failureText(error)}`;
  const { status, serverMessage, body, statusText } = error;
  return `Failed to add whitelist URLs: ${status} ${serverMessage ?? (body || statusText)}`;
}

export const urlsAddedToast: ToastMessage = { tone: 'success', title: 'Whitelist URLs added successfully' };

/** The toast for a deleted project. A hosted project service (`isHosted`) doesn't delete projects. */
export const deletionToast = (projectName: string, isHosted: boolean): ToastMessage =>
  isHosted
    ? {
        tone: 'success',
        title: '“Delete project” hidden',
        description: `${projectName} stays in My Projects, and its API key still works.`,
      }
    : { tone: 'success', title: 'Project Deleted', description: projectName };

/** The toast for a notice of a dialog. */
export function noticeToast(notice: UpdateKeyNotice | AddUrlsNotice): ToastMessage {
  switch (notice.type) {
    case 'project.missing':
      return { tone: 'error', title: 'Error', description: 'No project selected' };
    case 'key.updated':
      return {
        tone: 'success',
        title: 'API Key Updated',
        description: `New API key: ${notice.key.slice(0, 8)}...`,
      };
    case 'update.failed':
      if (isSignedOut(notice.error)) return { tone: 'error', ...signedOutOfKeys };
      return {
        tone: 'error',
        title: 'Error',
        description:
          notice.error instanceof EmptyKeyError
            ? noKeyReceived
            : 'Failed to update API key. Please try again.',
      };
    case 'url.refused':
      return {
        tone: 'error',
        title: urlTitle(notice.code),
        description: urlSentence(notice.code, notice.text),
      };
    case 'url.added':
      return {
        tone: 'success',
        title: 'URL Added',
        description: notice.isNormalized ? normalizedSentence(notice.url) : notice.url,
      };
    case 'urls.saved':
      return urlsAddedToast;
    case 'saving.failed':
      return { tone: 'error', title: 'Error', description: additionFailure(notice.error) };
  }
}
