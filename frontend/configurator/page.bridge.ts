import { configuratorPort, toConfigurator } from '@orange-id/contract/configurator.protocol';
import type { FromConfigurator, ToConfigurator } from '@orange-id/contract/configurator.protocol';

/** The frame's end of the connection to the page around it. */
export interface PageBridge {
  send(message: FromConfigurator): void;
}

/**
 * Says hello to the page around this frame, and takes the port of its answer if that comes from the portal's origin, the
 * one this frame was loaded from: a sandboxed frame has itself no origin. Messages of another shape are ignored.
 */
export function connectToPage(onMessage: (message: ToConfigurator) => void): PageBridge {
  const portal = new URL(window.location.href).origin;
  let port: MessagePort | null = null;
  window.addEventListener('message', ({ source, origin, data, ports }) => {
    if (port !== null || source !== window.parent || origin !== portal) return;
    if (!configuratorPort.safeParse(data).success || !ports[0]) return;
    port = ports[0];
    port.onmessage = ({ data: message }) => {
      const known = toConfigurator.safeParse(message);
      if (known.success) onMessage(known.data);
    };
    port.postMessage({ type: 'ready' } satisfies FromConfigurator);
  });
  window.parent.postMessage({ type: 'configurator.hello' }, portal);
  return { send: (message) => port?.postMessage(message) };
}
