import { Button, Input } from 'antd';
import { useId, useState, type FormEvent } from 'react';
import { timeZone } from '../../ui/time.text';
import { rangeProblem, type FixedRange } from './usage.view';

interface RangePickerProps {
  /** `null` while the range goes up to now. */
  range: FixedRange | null;
  onChange: (range: FixedRange) => void;
  onClear: () => void;
}

type End = keyof FixedRange;

const ends: Record<End, string> = { from: 'From', to: 'To' };

/** The time as the browser's own field writes it: local, to the minute. */
function fieldText(iso: string): string {
  const time = new Date(iso);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/**
 * A range that stays where it is; the keyboard's way to what a drag over the chart does. The browser's own fields say
 * their format, open their calendar by the keyboard, and let Tab go on.
 */
export function RangePicker({ range, onChange, onClear }: RangePickerProps) {
  const base = range ? `${range.from} ${range.to}` : '';
  /** What was typed since this range is shown, and why it was refused. */
  const [draft, setDraft] = useState<Partial<FixedRange> & { base: string; problem?: string | null }>({
    base,
  });
  const typed = draft.base === base ? draft : { base };
  const zoneId = useId();
  const textOf = (end: End) => typed[end] ?? (range ? fieldText(range[end]) : '');

  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (textOf('from') === '' && textOf('to') === '' && range) return onClear();
    // An end that nobody changed keeps its seconds.
    const timeOf = (end: End) => Date.parse(typed[end] ?? range?.[end] ?? '');
    const [from, to] = [timeOf('from'), timeOf('to')];
    const problem = rangeProblem(from, to);
    setDraft({ ...typed, problem });
    if (!problem) onChange({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
  };

  return (
    <form className="usage-range" aria-label="Custom range" noValidate onSubmit={apply}>
      {(Object.keys(ends) as End[]).map((end) => (
        <label key={end} className="usage-range-end">
          <span>{ends[end]}</span>
          <Input
            type="datetime-local"
            // A year of four digits: the fifth goes to the next part.
            max="9999-12-31T23:59"
            title={`Times in ${timeZone}`}
            aria-describedby={zoneId}
            status={typed.problem ? 'error' : ''}
            aria-invalid={Boolean(typed.problem)}
            value={textOf(end)}
            onChange={({ target }) => setDraft({ ...typed, problem: null, [end]: target.value })}
          />
        </label>
      ))}
      <Button htmlType="submit">Apply</Button>
      <span id={zoneId} className="visually-hidden">
        Times in {timeZone}
      </span>
      {typed.problem && (
        <span className="usage-range-problem" role="alert">
          The range {typed.problem}
        </span>
      )}
    </form>
  );
}
