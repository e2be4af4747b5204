import { setImmediate } from 'node:timers';

let undelivered = 0;

/**
 * The `MessageChannel` that React’s scheduler posts its work to. Delivers each message in its own task, even while a
 * test fakes the clock.
 */
class TurnChannel {
  readonly port1: { onmessage: ((message: { data: unknown }) => void) | null } = { onmessage: null };
  readonly port2 = {
    postMessage: (data: unknown) => {
      undelivered++;
      setImmediate(() => {
        undelivered--;
        this.port1.onmessage?.({ data });
      });
    },
  };
}

/** Resolves when React has rendered everything that was scheduled. */
export async function rendered(): Promise<void> {
  do await new Promise<void>((resolve) => setImmediate(resolve));
  while (undelivered > 0);
}

// React looks for the class when it is loaded.
Object.assign(window, { MessageChannel: TurnChannel });
