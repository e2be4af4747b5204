/** How long a page waits for the answer to a change before it can be left; the change itself is never sent twice. */
export const answerPatienceMs = 30_000;

/** No answer came in time, so whether the change was made is not known. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  constructor() {
    super(
      `The server didn’t respond within ${answerPatienceMs / 1000} s. The change may still have been made. Reload the page to check before you try again.`,
    );
  }
}
