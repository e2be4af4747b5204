import { HttpError } from '../../api/http';
import { NoAnswerError } from '../../api/no.answer';

/** What a dialog speaks of is not there any more. */
export class VanishedError extends Error {
  override readonly name = 'VanishedError';
  constructor(readonly what: 'project' | 'url') {
    super(`The ${what} is no longer there`);
  }
}

/** The server said that a new key was made and did not send it. */
export class EmptyKeyError extends Error {
  override readonly name = 'EmptyKeyError';
}

/** Whether a change may have been made although it failed: its answer was lost, came too late or without what it is for. */
export const isPerhapsDone = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof NoAnswerError ||
  error instanceof EmptyKeyError ||
  (error instanceof HttpError && error.status >= 500);

/** The part of a project that its dialogs speak of. */
export interface DialogProject {
  code: string;
  projectName: string;
}
