import { expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { http } from 'msw';
import { MemoryRouter } from 'react-router-dom';
import { ConfigContext } from '../../api/config/config.context';
import { AuthContext, type Auth } from '../../api/session/auth.context';
import { network, refusal, someone } from '../../testing/network';
import { config } from '../../testing/open.portal';
import { WalletsCard } from './WalletsCard';

const identity = { ...config.identity, baseUrl: 'https://id.example.com' };
const auth: Auth = {
  isAuthenticated: true,
  isLoading: false,
  user: someone,
  accessToken: 'token-1',
  wasCutShort: false,
  logout: () => undefined,
};
const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const note = 'id.example.com manages your account';

/** Renders the wallets of an account that another portal manages. */
function openWallets(ethAddress: string | null) {
  network.use(
    http.get('https://id.example.com/api/v1/auth/identifiers', () =>
      refusal(403, 'Of another portal', 'auth.tokenForeign'),
    ),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <ConfigContext.Provider value={{ ...config, identity }}>
      <AuthContext.Provider value={auth}>
        <QueryClientProvider client={client}>
          <MemoryRouter>
            <WalletsCard user={{ ...someone, ethAddress }} hasFailed={false} />
          </MemoryRouter>
        </QueryClientProvider>
      </AuthContext.Provider>
    </ConfigContext.Provider>,
  );
}

test('an account that another portal manages shows where to connect its first wallet', async () => {
  openWallets(null);
  expect(await screen.findByText(note)).toBeInTheDocument();
  expect(screen.queryByRole('list', { name: 'Wallets' })).not.toBeInTheDocument();
  expect(screen.queryByText('No wallet connected')).not.toBeInTheDocument();
});

test('an account that another portal manages shows its wallets too', async () => {
  openWallets(address);
  expect(await screen.findByText(note)).toBeInTheDocument();
  expect(screen.getByRole('list', { name: 'Wallets' })).toHaveTextContent('0xd8dA6...7aA96045');
  expect(screen.queryByRole('link', { name: 'Connect Wallet' })).not.toBeInTheDocument();
});
