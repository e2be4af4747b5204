/** How long a page waits for a response before the user can leave or try again; a change is never sent twice. */
export const answerTimeoutMs = 30_000;

/** The response didn't arrive in time, so it is unknown whether a change was made. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  constructor({ isChange = true } = {}) {
    super(
      isChange
        ? `The server didn’t respond within ${answerTimeoutMs / 1000} s. The change may still have been made. Reload the page to check before you try again.`
        : `The server didn’t respond within ${answerTimeoutMs / 1000} s. Try again in a minute.`,
    );
  }
}
