/** Hidden pages get no animation frames, so items are delivered at this interval, in ms. */
const longestHoldMs = 500;

export interface FrameBatch<T> {
  add(items: readonly T[]): void;
  /** Delivers the collected items at once. */
  flush(): void;
  cancel(): void;
}

/**
 * Collects items and delivers them once per animation frame, so that hundreds of events a second cost one render per
 * frame. It delivers in a task after the frame; otherwise React's work and the browser's layout and paint would form
 * one long task.
 */
export function createFrameBatch<T>(deliver: (items: T[]) => void): FrameBatch<T> {
  let gathered: T[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn: ReturnType<typeof setTimeout> | undefined;

  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    clearTimeout(turn);
    timer = undefined;
    gathered = [];
  };
  const flush = () => {
    const items = gathered;
    cancel();
    if (items.length > 0) deliver(items);
  };
  return {
    add(items) {
      gathered.push(...items);
      if (timer !== undefined || gathered.length === 0) return;
      frame = requestAnimationFrame(() => (turn = setTimeout(flush)));
      timer = setTimeout(flush, longestHoldMs);
    },
    flush,
    cancel,
  };
}
