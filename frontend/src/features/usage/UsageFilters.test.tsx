import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { noFilters, readAddress } from './usage.view';
import { UsageFilters } from './UsageFilters';

test('Clear filters goes with the filters and leads to the first of them', async () => {
  const onChange = jest.fn();
  const { view } = readAddress(new URLSearchParams('status=blocked'));
  render(
    <UsageFilters
      {...{ view, onChange, isCompared: false, metrics: undefined, onCompare: jest.fn() }}
      names={
        { projects: [], keys: [], projectName: String } as unknown as Parameters<
          typeof UsageFilters
        >[0]['names']
      }
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(onChange).toHaveBeenCalledWith(noFilters);
  expect(screen.getByRole('combobox', { name: 'Project' })).toHaveFocus();
});
