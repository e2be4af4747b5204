import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RangePicker } from './RangePicker';
import type { FixedRange } from './usage.view';

/** Renders the picker between two other controls, as in the filters. */
function openPicker(range: FixedRange | null) {
  const onChange = jest.fn();
  const picker = (shown: FixedRange | null) => (
    <>
      <button>Before</button>
      <RangePicker range={shown} onChange={onChange} />
      <button>After</button>
    </>
  );
  const { rerender } = render(picker(range));
  return {
    user: userEvent.setup({ delay: null }),
    onChange,
    from: screen.getByRole('textbox', { name: 'From' }),
    to: screen.getByRole('textbox', { name: 'To' }),
    show: (other: FixedRange | null) => rerender(picker(other)),
  };
}

const iso = (local: string) => new Date(local).toISOString();

test('Tab moves through an empty range and on to the next control', async () => {
  const { user, from, to } = openPicker(null);
  screen.getByRole('button', { name: 'Before' }).focus();
  const met: (Element | null)[] = [];
  for (let presses = 0; presses < 4; presses++) {
    await user.tab();
    met.push(document.activeElement);
  }
  const apply = screen.getByRole('button', { name: 'Apply' });
  expect(met).toEqual([from, to, apply, screen.getByRole('button', { name: 'After' })]);
});

test('a typed range is applied by Enter, and the focus stays', async () => {
  const { user, from, to, onChange } = openPicker(null);
  await user.type(from, '2026-01-02 10:00');
  await user.tab();
  expect(to).toHaveFocus();
  await user.keyboard('2026-01-02 11:30{Enter}');
  expect(onChange).toHaveBeenCalledWith({
    from: iso('2026-01-02 10:00'),
    to: iso('2026-01-02 11:30'),
  });
  expect(to).toHaveFocus();
});

test.each([
  ['2026-01-02 12:00', '2026-01-02 11:00', 'The range must end after it starts.'],
  ['2026-01-02', '2026-01-02 11:00', 'The range needs a start and an end, each like 20'],
  ['2026-01-02 12:00', '', 'The range needs a start and an end, each like 20'],
])('the range from %s to “%s” is refused and stays as typed', async (start, end, reason) => {
  const { user, from, to, onChange } = openPicker(null);
  await user.type(from, start);
  if (end) await user.type(to, end);
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  expect(screen.getByRole('alert')).toHaveTextContent(reason);
  expect(from).toHaveValue(start);
  expect(to).toHaveValue(end);
  expect(onChange).not.toHaveBeenCalled();
});

test.each([
  ['an emptied end', 'to', ''],
  ['an emptied start', 'from', ''],
  ['a day that does not exist', 'from', '2026-01-33 10:00'],
] as const)('%s is refused, and the previous time is not applied', async (_, end, typed) => {
  const { user, onChange, ...ends } = openPicker({
    from: iso('2026-01-02 10:00'),
    to: iso('2026-01-02 11:00'),
  });
  await user.clear(ends[end]);
  if (typed) await user.type(ends[end], typed);
  await user.type(ends[end], '{Enter}');
  expect(screen.getByRole('alert')).toHaveTextContent('The range needs a start and an end, each like 20');
  expect(ends[end]).toHaveValue(typed);
  expect(onChange).not.toHaveBeenCalled();
});

test('changing one end keeps the seconds of the other', async () => {
  const range = { from: '2026-01-02T10:00:31.000Z', to: '2026-01-02T11:00:00.000Z' };
  const { user, to, onChange } = openPicker(range);
  await user.clear(to);
  await user.type(to, '2026-01-03 12:00{Enter}');
  expect(onChange).toHaveBeenCalledWith({ from: range.from, to: iso('2026-01-03 12:00') });
});

test('a new range replaces the typed text', async () => {
  const { user, from, to, show } = openPicker(null);
  await user.type(from, '2026-01-02 12:00');
  show({ from: iso('2026-02-01 08:00'), to: iso('2026-02-01 09:00') });
  expect(from).toHaveValue('2026-02-01 08:00');
  expect(to).toHaveValue('2026-02-01 09:00');
});

test.each([
  ['2025-03-30 02:30', 'doesn’t exist that day, because the clocks go forward from 02:00 to 03:00.'],
  ['2025-10-26 02:30', 'exists twice that day, because the clocks go back from 03:00 to 02:00.'],
])('the start %s is refused where the clocks change then', async (text, problem) => {
  const summer = [Date.UTC(2025, 2, 30, 1), Date.UTC(2025, 9, 26, 1)] as const;
  jest.spyOn(Date.prototype, 'getTimezoneOffset').mockImplementation(function (this: Date) {
    return this.getTime() >= summer[0] && this.getTime() < summer[1] ? -120 : -60;
  });
  const { user, onChange, from, to } = openPicker(null);
  await user.type(from, text);
  await user.type(to, '2025-11-01 12:00');
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  expect(screen.getByRole('alert')).toHaveTextContent(`The range needs another start: 02:30 ${problem}`);
  expect(onChange).not.toHaveBeenCalled();
});
