import { setImmediate } from 'node:timers';

let undelivered = 0;

class TurnPort {
  onmessage: ((message: { data: unknown }) => void) | null = null;
  other: TurnPort | null = null;

  postMessage(data: unknown): void {
    undelivered++;
    setImmediate(() => {
      undelivered--;
      this.other?.onmessage?.({ data });
    });
  }

  close(): void {
    this.other = null;
  }
}

/**
 * The `MessageChannel` that React’s scheduler posts its work to. Delivers each message in its own task, even while a
 * test fakes the clock.
 */
class TurnChannel {
  readonly port1 = new TurnPort();
  readonly port2 = new TurnPort();

  constructor() {
    this.port1.other = this.port2;
    this.port2.other = this.port1;
  }
}

/** Resolves when React has rendered everything that was scheduled. */
export async function rendered(): Promise<void> {
  do await new Promise<void>((resolve) => setImmediate(resolve));
  while (undelivered > 0);
}

// React looks for the class when it is loaded.
Object.assign(window, { MessageChannel: TurnChannel });
