import { afterEach, expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Alert, Select } from 'antd';
import { Themed } from './Themed';

const { matchMedia } = window;
afterEach(() => void Object.assign(window, { matchMedia }));

/** Mocks a system whose reduced-motion setting can change. */
function systemWith(isReduced: boolean) {
  const listeners = new Set<() => void>();
  const system = { isReduced };
  Object.assign(window, {
    matchMedia: (media: string) => ({
      media,
      get matches() {
        return media.includes('prefers-reduced-motion') && system.isReduced;
      },
      addEventListener: (_: string, listener: () => void) => listeners.add(listener),
      removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
    }),
  });
  return {
    setReduced: (wanted: boolean) =>
      act(() => {
        system.isReduced = wanted;
        for (const listener of listeners) listener();
      }),
  };
}

test.each([
  ['allows motion', false],
  ['reduces motion', true],
])(
  'a field keeps its text and focus when a system that %s switches its motion setting, and switches it back',
  async (_, isReduced) => {
    const system = systemWith(isReduced);
    render(
      <Themed>
        <input defaultValue="Half a sentence" />
      </Themed>,
    );
    const field = screen.getByRole('textbox');
    field.focus();
    for (const wanted of [!isReduced, isReduced]) {
      await system.setReduced(wanted);
      expect(field).toBeInTheDocument();
      expect(field).toHaveFocus();
      expect(field).toHaveValue('Half a sentence');
    }
  },
);

test('selects and alerts contain no images that screen readers would read as “down” or “close-circle”', async () => {
  render(
    <Themed>
      <Select aria-label="Sort" options={[{ value: 'newest' }]} value="newest" />
      <Select aria-label="Busy" loading options={[]} />
      {(['success', 'info', 'warning', 'error'] as const).map((type) => (
        <Alert key={type} type={type} title={type} showIcon />
      ))}
    </Themed>,
  );
  expect(document.querySelectorAll('.anticon')).toHaveLength(6);
  await userEvent.click(screen.getByRole('combobox', { name: 'Sort' }));
  expect(screen.queryAllByRole('img').map(({ ariaLabel, className }) => ariaLabel ?? className)).toEqual([]);
});
