import { expect, jest, test } from '@jest/globals';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { noFilters, readAddress } from './usage.view';
import { UsageFilters } from './UsageFilters';

/** Renders the filters of a query. */
function renderFilters(query: string, metrics?: UsageMetrics) {
  const onChange = jest.fn();
  const { view } = readAddress(new URLSearchParams(query));
  render(
    <UsageFilters
      view={view}
      isCompared={false}
      isPreviousEmpty={false}
      metrics={metrics}
      onChange={onChange}
      onCompare={jest.fn()}
      names={
        { projects: [], keys: [], projectName: String } as unknown as Parameters<
          typeof UsageFilters
        >[0]['names']
      }
    />,
  );
  return { onChange };
}

test('Clear filters disappears with the filters and moves the focus to the first of them', async () => {
  const { onChange } = renderFilters('status=blocked');
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(onChange).toHaveBeenCalledWith(noFilters);
  expect(screen.getByRole('combobox', { name: 'Project' })).toHaveFocus();
});

test('an open searchable list has no image that screen readers would read as “search”', async () => {
  renderFilters('');
  await userEvent.click(screen.getByRole('combobox', { name: 'Origin' }));
  expect(document.querySelector('.ant-select-open .anticon-search')).toBeInTheDocument();
  expect(screen.queryByRole('img', { name: 'search' })).not.toBeInTheDocument();
});

test('Clear filters keeps its place while no filter is chosen, so that choosing the first one moves nothing', () => {
  renderFilters('');
  expect(screen.getByText('Clear filters').closest('button')).not.toBeVisible();
});

test('calls without a known endpoint or origin have names in the filters too', async () => {
  renderFilters('', {
    endpoints: [{ endpoint: 'unknown', method: 'GET', calls: 1 }],
    statuses: [],
    origins: [{ origin: 'invalid', calls: 1 }],
  } as unknown as UsageMetrics);
  const titles = async (name: string) => {
    await userEvent.click(screen.getByRole('combobox', { name }));
    return Array.from(document.querySelectorAll('.ant-select-item-option'), (option) =>
      option.getAttribute('title'),
    );
  };
  expect((await titles('Endpoint')).filter((title) => /unknown/i.test(title ?? ''))).toEqual([
    'Unknown endpoint',
  ]);
  expect(await titles('Origin')).toContain('Invalid origin');
});

test('the statuses can be chosen by class and by outcome', async () => {
  renderFilters('');
  await userEvent.click(screen.getByRole('combobox', { name: 'Status' }));
  expect(
    Array.from(document.querySelectorAll('.ant-select-item-option'), ({ textContent }) => textContent),
  ).toEqual([
    ...['All statuses', '2xx Success', '4xx Client Error', '5xx Server Error'],
    ...['Any error', 'Blocked', 'Revoked key'],
  ]);
});

test('an origin can be typed that is not in its list, and no endpoint can', async () => {
  renderFilters('');
  const offered = async (name: string, text: string) => {
    await userEvent.type(screen.getByRole('combobox', { name }), text);
    return document.querySelector(`.ant-select-item-option[title="${text}"]`);
  };
  expect(await offered('Endpoint', '/api/v1/nothing')).toBeNull();
  expect(await offered('Origin', 'https://game.example.com')).toBeInTheDocument();
});
