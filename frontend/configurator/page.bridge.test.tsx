import { afterEach, expect, jest, test } from '@jest/globals';
import type { ToConfigurator } from '@orange-id/contract/configurator.protocol';
import { fireEvent, waitFor } from '@testing-library/react';
import { MessageChannel as NodeChannel } from 'node:worker_threads';
import { connectToPage } from './page.bridge';

const portal = window.location.origin;
const answer = { type: 'configurator.port' };
const channels: { port1: MessagePort; port2: MessagePort }[] = [];
afterEach(() => channels.splice(0).forEach(({ port1 }) => port1.close()));

/** Sends the frame an answer to its hello, and returns what it then says through the port of that answer. */
function send(message: { source?: Window; origin?: string; data?: unknown } = {}) {
  const channel = new NodeChannel() as unknown as { port1: MessagePort; port2: MessagePort };
  channels.push(channel);
  const said: unknown[] = [];
  channel.port1.onmessage = ({ data }) => said.push(data);
  const event = new MessageEvent('message', {
    source: window.parent,
    origin: portal,
    data: answer,
    ...message,
  });
  // jsdom takes only ports of its own.
  Object.defineProperty(event, 'ports', { value: [channel.port2] });
  fireEvent(window, event);
  return { said, port: channel.port1 };
}

test('the frame says hello to its portal only, and takes one port: that of the page around it, from the portal’s origin', async () => {
  const hello = jest.spyOn(window.parent, 'postMessage').mockImplementation(() => undefined);
  const heard: ToConfigurator[] = [];
  const bridge = connectToPage((message) => heard.push(message));
  expect(hello.mock.calls as unknown[][]).toEqual([[{ type: 'configurator.hello' }, portal]]);

  const other = document.body.appendChild(document.createElement('iframe')).contentWindow as Window;
  const refused = [
    send({ origin: 'https://evil.example.com' }),
    send({ origin: 'null' }),
    send({ source: other }),
    send({ data: { type: 'configurator.port', token: 'x' } }),
    send({ data: 'configurator.port' }),
  ];
  const taken = send();
  const late = send();
  await waitFor(() => expect(taken.said).toEqual([{ type: 'ready' }]));

  taken.port.postMessage({ type: 'scheme', scheme: 'dark' });
  taken.port.postMessage({ type: 'scheme', scheme: 'url(x)' });
  taken.port.postMessage({ type: 'open', draft: null });
  taken.port.postMessage({ type: 'refused', message: 'No' });
  await waitFor(() => expect(heard).toHaveLength(2));
  expect(heard).toEqual([
    { type: 'scheme', scheme: 'dark' },
    { type: 'refused', message: 'No' },
  ]);
  bridge.send({ type: 'draft', appearance: null });
  await waitFor(() => expect(taken.said).toHaveLength(2));
  for (const { said } of [...refused, late]) expect(said).toEqual([]);
});
