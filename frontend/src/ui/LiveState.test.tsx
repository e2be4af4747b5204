import { expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { LiveContext } from '../api/usage/live.context';
import { quietLive } from '../testing/live.hook';
import { LiveState } from './LiveState';

const readAt = Date.parse('2026-01-01T12:00:00.000Z');

test.each([
  { status: 'live', isOnline: true, text: 'Live' },
  { status: 'connecting', isOnline: true, text: 'Connecting' },
  { status: 'reconnecting', isOnline: true, text: 'Reconnecting: last update 12:00:00' },
  { status: 'stopped', isOnline: true, text: 'Not connected: last update 12:00:00' },
  { status: 'reconnecting', isOnline: false, text: 'Offline: last update 12:00:00' },
] as const)('the state while $status, online: $isOnline, is “$text”', ({ status, isOnline, text }) => {
  const { container } = render(
    <LiveContext.Provider value={{ ...quietLive, status, isOnline }}>
      <LiveState readAt={readAt} />
    </LiveContext.Provider>,
  );
  expect(container).toHaveTextContent(text);
});
