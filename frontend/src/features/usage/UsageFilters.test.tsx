import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { noFilters, readAddress } from './usage.view';
import { UsageFilters } from './UsageFilters';

/** Renders the filters of a query. */
function renderFilters(query: string) {
  const onChange = jest.fn();
  const { view } = readAddress(new URLSearchParams(query));
  render(
    <UsageFilters
      view={view}
      isCompared={false}
      isPreviousEmpty={false}
      metrics={undefined}
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
