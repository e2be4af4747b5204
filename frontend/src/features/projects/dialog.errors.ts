import { HttpError } from '../../api/http';
import { NoAnswerError } from '../../api/no.answer';

/** The server reported a new key but did not send it. */
export class EmptyKeyError extends Error {
  override readonly name = 'EmptyKeyError';
}

/** Whether a failed change may have been made after all: its response was lost, late, empty or a 5xx. */
export const mayHaveSucceeded = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof NoAnswerError ||
  error instanceof EmptyKeyError ||
  (error instanceof HttpError && error.status >= 500);

/** The fields of a project that its dialogs use. */
export interface DialogProject {
  code: string;
  projectName: string;
}
