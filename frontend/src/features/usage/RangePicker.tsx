import { Button, DatePicker } from 'antd';
import enGB from 'antd/es/date-picker/locale/en_GB';
import dayjs, { type Dayjs } from 'dayjs';
import 'dayjs/locale/en-gb';
import { Fragment, useId, useRef, useState, type FormEvent } from 'react';
import { clockChangeProblem } from '../../ui/local.time';
import { timeZone } from '../../ui/time.text';
import { rangeProblem, type FixedRange } from './usage.view';
import styles from './usage.module.css';

interface RangePickerProps {
  /** `null` if the range ends now. */
  range: FixedRange | null;
  onChange: (range: FixedRange) => void;
}

type End = keyof FixedRange;

const ends: Record<End, string> = { from: 'From', to: 'To' };
const format = 'YYYY-MM-DD HH:mm';
const narrowPx = 720;

/**
 * A fixed range; the keyboard alternative to dragging over the chart. It uses two pickers, because Tab cannot leave
 * antd's range picker while it is empty.
 */
export function RangePicker({ range, onChange }: RangePickerProps) {
  const base = range ? `${range.from} ${range.to}` : '';
  /** The ends chosen since this range was shown, and why they were refused. */
  const [draft, setDraft] = useState<{
    base: string;
    from?: Dayjs;
    to?: Dayjs;
    problem?: string | null;
  }>({ base });
  const chosen = draft.base === base ? draft : { base };
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  // On a narrow screen the calendar covers the lower part, so scroll the form to the top.
  const bringUp = (isOpen: boolean) => {
    if (isOpen && window.innerWidth <= narrowPx) form.current?.scrollIntoView({ block: 'start' });
  };
  const timeOf = (end: End) => chosen[end] ?? (range && dayjs(range[end]));

  const textOf = (end: End) =>
    (form.current?.elements.namedItem(`${formId}${end}`) as HTMLInputElement).value;
  /** Whether the input shows the time that the picker parsed: invalid text leaves the picker's value unchanged. */
  const isRead = (end: End) => textOf(end) === (timeOf(end)?.format(format) ?? '');
  /** Why a typed time is none, or two. A time that came with the range is exact, whatever its text. */
  const clockProblem = (end: End) => {
    if (range && textOf(end) === dayjs(range[end]).format(format)) return null;
    const problem = clockChangeProblem(textOf(end));
    return problem && `needs another ${end === 'from' ? 'start' : 'end'}: ${problem}`;
  };

  // Both ends can change before the next render.
  const choose = (end: End, time: Dayjs) =>
    setDraft((known) => ({ ...(known.base === base ? known : { base }), problem: null, [end]: time }));

  const apply = (event: FormEvent) => {
    event.preventDefault();
    const [from, to] = [timeOf('from'), timeOf('to')];
    const problem =
      clockProblem('from') ??
      clockProblem('to') ??
      (from && to && isRead('from') && isRead('to')
        ? rangeProblem(from.valueOf(), to.valueOf())
        : `needs a start and an end, each like ${dayjs().format(format)}.`);
    setDraft({ ...chosen, problem });
    if (!problem) onChange({ from: (from as Dayjs).toISOString(), to: (to as Dayjs).toISOString() });
  };

  return (
    <form ref={form} className={styles.range} aria-label="Custom range" noValidate onSubmit={apply}>
      {(Object.keys(ends) as End[]).map((end) => (
        <Fragment key={end}>
          <label className="note" htmlFor={`${formId}${end}`}>
            {ends[end]}
          </label>
          <DatePicker
            id={`${formId}${end}`}
            showTime={{ format: 'HH:mm' }}
            format={format}
            placeholder={format}
            locale={enGB}
            needConfirm={false}
            // Tab goes from one end to the other, not to a button that clears the text.
            allowClear={false}
            preserveInvalidOnBlur
            // Otherwise a pointer resting over the calendar would overwrite the typed text with its date.
            previewValue={false}
            onOpenChange={bringUp}
            status={chosen.problem ? 'error' : ''}
            aria-invalid={Boolean(chosen.problem)}
            classNames={{ popup: { root: styles.rangePopup } }}
            renderExtraFooter={() => `Times in ${timeZone}`}
            value={timeOf(end)}
            // Fires as soon as the text is a valid time; `onChange` waits until the picker closes.
            onCalendarChange={(time) => choose(end, time as Dayjs)}
          />
        </Fragment>
      ))}
      <Button htmlType="submit">Apply</Button>
      {chosen.problem && (
        <span className={styles.rangeProblem} role="alert">
          The range {chosen.problem}
        </span>
      )}
    </form>
  );
}
