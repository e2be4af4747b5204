/** Hidden pages get no animation frames; they are still told this often, in ms. */
const longestHoldMs = 500;

export interface FrameBatch<T> {
  add(items: readonly T[]): void;
  /** Delivers at once what is gathered. */
  flush(): void;
  cancel(): void;
}

/**
 * Gathers items and delivers them once per animation frame, so that hundreds of pushes a second cost one render each
 * frame: right after it, because what React makes of them and what the browser lays out and paints of that would
 * otherwise be one long task.
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
