import { expect, jest, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { expectToast } from '../testing/expect.toast';
import { openPortal } from '../testing/open.portal';

const fails = () => {
  throw new TypeError('Failed to fetch dynamically imported module');
};
jest.mock('../features/quick-search/QuickSearch', fails);
jest.mock('../features/docs/explorer/ApiExplorer', fails);

test('a search whose code can’t be loaded says so and closes', async () => {
  const { user } = openPortal('/faq', { as: 'visitor' });
  await user.click(await screen.findByRole('button', { name: 'Search' }));
  await expectToast('Failed to load the search', 'Check your connection and try again.');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('an API Explorer whose code can’t be loaded says so and offers to retry', async () => {
  openPortal('/docs#explorer', { as: 'visitor' });
  expect(await screen.findByText('Failed to load the API Explorer')).toBeInTheDocument();
  expect(screen.getByText('Check your connection and try again.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeInTheDocument();
});
