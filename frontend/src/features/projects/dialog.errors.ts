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

/** The part of a project that its dialogs speak of. */
export interface DialogProject {
  code: string;
  projectName: string;
}
