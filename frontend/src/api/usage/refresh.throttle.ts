/**
 * The pause after a refresh is at least this many times as long as the refresh took, so that a busy server gets fewer
 * requests.
 */
const pauseFactor = 3;
const longestPauseMs = 10_000;

/**
 * Runs `refresh` at once when asked, then at most once every `everyMs`, or less often if it takes long. Never runs two
 * at a time, and always runs once more after the last request.
 */
export function createThrottle(refresh: () => Promise<unknown>, everyMs: number) {
  let isBusy = false;
  let isAskedAgain = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const run = () => {
    isBusy = true;
    isAskedAgain = false;
    const startedAt = performance.now();
    const settle = () => {
      if (isStopped) return;
      const took = performance.now() - startedAt;
      timer = setTimeout(
        () => {
          isBusy = false;
          if (isAskedAgain) run();
        },
        Math.max(everyMs - took, Math.min(took * pauseFactor, longestPauseMs)),
      );
    };
    refresh().then(settle, settle);
  };
  return {
    ask() {
      if (isBusy) isAskedAgain = true;
      else if (!isStopped) run();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
