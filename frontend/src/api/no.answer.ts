/** How long a page waits for the response to a change before the user can leave; the change is never sent twice. */
export const answerPatienceMs = 30_000;

/** The response didn't arrive in time, so it is unknown whether the change was made. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  constructor() {
    super(
      `The server didn’t respond within ${answerPatienceMs / 1000} s. The change may still have been made. Reload the page to check before you try again.`,
    );
  }
}
