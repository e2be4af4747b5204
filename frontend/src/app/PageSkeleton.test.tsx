import { expect, test } from '@jest/globals';
import { appRoutes } from '@orange-id/contract/app.routes';
import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { network, silence } from '../testing/network';
import { openPortal } from '../testing/open.portal';

const shown = Object.entries(appRoutes)
  .filter(([, { access }]) => access === 'protected')
  .map(([path, { title }]) => [path, path === '/dashboard' ? 'Welcome to Orange ID' : title] as const);

test.each([['/', 'Welcome to Orange ID'] as const, ...shown])(
  '%s shows its own title, %s, while the session is still being checked',
  async (path, title) => {
    network.use(http.get('/api/v1/auth/user', silence));
    openPortal(path);
    await waitFor(() => expect(screen.getByRole('status', { name: 'Loading' })).toHaveTextContent(title));
  },
);
