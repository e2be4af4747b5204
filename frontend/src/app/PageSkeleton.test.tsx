import { expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { network, silence } from '../testing/network';
import { openPortal } from '../testing/open.portal';

test.each([
  ['/', 'Welcome to Orange ID'],
  ['/dashboard', 'Welcome to Orange ID'],
  ['/projects', 'My Projects'],
  ['/usage', 'Usage'],
  ['/keys', 'API Keys'],
  ['/settings', 'Settings'],
  ['/profile', 'My Profile'],
])('%s shows its own title, %s, while the session is still being checked', async (path, title) => {
  network.use(http.get('/api/v1/auth/user', silence));
  openPortal(path);
  await waitFor(() => expect(screen.getByRole('status', { name: 'Loading' })).toHaveTextContent(title));
});
