import {
  configuratorHello,
  fromConfigurator,
  type FromConfigurator,
  type ToConfigurator,
} from '@orange-id/contract/configurator.protocol';

/** The page's end of the connection to the configurator. */
export interface FrameConnection {
  send(message: ToConfigurator): void;
  close(): void;
}

/**
 * Waits for one hello of the frame's window and answers it with a port; everything else goes through the port. `origin`
 * is that of a hosted configurator; our own is sandboxed and has none, so that the answer can go to any, and carries
 * nothing secret.
 */
export function connectToFrame(
  frame: HTMLIFrameElement,
  origin: string | null,
  onMessage: (message: FromConfigurator) => void,
): FrameConnection {
  const { port1: own, port2: theirs } = new MessageChannel();
  const listen = (event: MessageEvent) => {
    if (event.source === null || event.source !== frame.contentWindow) return;
    if (event.origin !== (origin ?? 'null')) return;
    if (!configuratorHello.safeParse(event.data).success) return;
    window.removeEventListener('message', listen);
    frame.contentWindow?.postMessage({ type: 'configurator.port' }, origin ?? '*', [theirs]);
  };
  own.onmessage = ({ data }) => {
    const known = fromConfigurator.safeParse(data);
    if (known.success) onMessage(known.data);
  };
  window.addEventListener('message', listen);
  return {
    send: (message) => own.postMessage(message),
    close: () => {
      window.removeEventListener('message', listen);
      own.close();
    },
  };
}
