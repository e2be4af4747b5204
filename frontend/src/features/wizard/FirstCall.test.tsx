import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { LiveContext } from '../../api/usage/live.context';
import { quietLive } from '../../testing/live.hook';
import { FirstCall } from './FirstCall';

test.each([
  { status: 'live', isOnline: true, note: 'Updates automatically when we see your first call.' },
  {
    status: 'reconnecting',
    isOnline: true,
    note: 'Connecting to live updates. Checking every 5 seconds until connected.',
  },
  {
    status: 'reconnecting',
    isOnline: false,
    note: 'You’re offline. This updates once you’re back online.',
  },
] as const)('the wait while $status, online: $isOnline, is explained', ({ status, isOnline, note }) => {
  render(
    <LiveContext.Provider value={{ ...quietLive, status, isOnline }}>
      <FirstCall projectId="orange-k3x9p2m7qa" />
    </LiveContext.Provider>,
  );
  expect(screen.getByRole('status')).toHaveTextContent('Waiting for your first call...');
  expect(screen.getByText(note)).toBeInTheDocument();
});
