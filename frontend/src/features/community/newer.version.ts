import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';

/** Whether the last save failed because another tab or browser has stored a newer version. Saving again replaces it. */
export const isReplacing = (failure: unknown): boolean =>
  failure instanceof HttpError && failure.code === 'forum.changedElsewhere';

/** Why a change was not saved, and what the author can do. */
export const notSavedText = (failure: unknown): string =>
  isReplacing(failure)
    ? 'Not saved. You changed this in another tab or browser since you opened it. Save anyway to replace that version, or cancel to read it.'
    : `Not saved. ${failureText(failure)}`;
