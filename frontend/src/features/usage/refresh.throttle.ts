/**
 * Runs `refresh` at once when asked, then at most once every `everyMs` for as long as it is asked again; never two at
 * a time, and always once more after the last question.
 */
export function createThrottle(refresh: () => Promise<unknown>, everyMs: number) {
  let isBusy = false;
  let isAskedAgain = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const run = () => {
    isBusy = true;
    isAskedAgain = false;
    let isSettled = false;
    let isRested = false;
    const next = () => {
      if (!isSettled || !isRested || isStopped) return;
      isBusy = false;
      if (isAskedAgain) run();
    };
    timer = setTimeout(() => {
      isRested = true;
      next();
    }, everyMs);
    const settle = () => {
      isSettled = true;
      next();
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
