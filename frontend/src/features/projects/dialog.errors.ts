/** What a dialog speaks of is not there any more. */
export class VanishedError extends Error {
  override readonly name = 'VanishedError';
  constructor(readonly what: 'project' | 'url') {
    super(`The ${what} is no longer there`);
  }
}

/** No answer came in time, so whether the change was made is not known. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  constructor() {
    super(
      `The server did not answer within ${answerPatienceMs / 1000} s, so it may or may not have been done. The page shows how it stands`,
    );
  }
}

/** The server said that a new key was made and did not send it. */
export class EmptyKeyError extends Error {
  override readonly name = 'EmptyKeyError';
}

/** How long a dialog waits for an answer before it can be left; the change itself is never sent twice. */
export const answerPatienceMs = 30_000;

/** The part of a project that its dialogs speak of. */
export interface DialogProject {
  code: string;
  projectName: string;
}
