import { expect, jest, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { expectToast } from '../testing/expect.toast';
import { openPortal } from '../testing/open.portal';

const fails = () => {
  throw new TypeError('Failed to fetch dynamically imported module');
};
jest.mock('../features/quick-search/QuickSearch', fails);
jest.mock('./NavMenuList', fails);
let isExplorerThere = false;
jest.mock('../features/docs/explorer/ApiExplorer', () =>
  isExplorerThere ? { ApiExplorer: () => <p>The API Explorer</p> } : fails(),
);

test('a search whose code can’t be loaded says so and closes', async () => {
  const { user } = openPortal('/faq', { as: 'visitor' });
  await user.click(await screen.findByRole('button', { name: 'Search' }));
  await expectToast('Failed to load the search', 'Check your connection and try again.');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('a menu whose code can’t be loaded says so on each click', async () => {
  const { user } = openPortal('/faq', { as: 'visitor' });
  const integration = await screen.findByRole('button', { name: 'Integration' });
  for (let clicks = 0; clicks < 2; clicks++) {
    await user.click(integration);
    await expectToast('Failed to load the menu', 'Check your connection and try again.');
  }
});

test('an API Explorer whose code can’t be loaded says so, and Retry loads it', async () => {
  const { user } = openPortal('/docs#explorer', { as: 'visitor' });
  expect(await screen.findByText('Failed to load the API Explorer')).toBeInTheDocument();
  expect(screen.getByText('Check your connection and try again.')).toBeInTheDocument();
  isExplorerThere = true;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('The API Explorer')).toBeInTheDocument();
});
