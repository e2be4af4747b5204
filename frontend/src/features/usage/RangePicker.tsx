import { DatePicker } from 'antd';
import enGB from 'antd/es/date-picker/locale/en_GB';
import dayjs, { type Dayjs } from 'dayjs';
import 'dayjs/locale/en-gb';
import { useRef, useState } from 'react';
import { timeZone } from '../../ui/time.text';
import { rangeProblem, type FixedRange } from './usage.view';

interface RangePickerProps {
  /** `null` while the range goes up to now. */
  range: FixedRange | null;
  onChange: (range: FixedRange) => void;
  onClear: () => void;
}

const narrowPx = 720;

/** Chooses a range that stays where it is, by pointer or by typing; the keyboard's way to what a drag over the chart does. */
export function RangePicker({ range, onChange, onClear }: RangePickerProps) {
  /** What was chosen and is no range, with the reason. */
  const [refused, setRefused] = useState<{ ends: [Dayjs, Dayjs]; problem: string } | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  // A narrow screen shows the calendar as a sheet over its lower part.
  const bringUp = (isOpen: boolean) => {
    if (isOpen && window.innerWidth <= narrowPx) frame.current?.scrollIntoView({ block: 'start' });
  };
  return (
    <div ref={frame} className="usage-range" role="group" aria-label="Custom range">
      <DatePicker.RangePicker
        showTime={{ format: 'HH:mm' }}
        format="YYYY-MM-DD HH:mm"
        order={false}
        locale={enGB}
        placeholder={['From', 'To']}
        value={refused?.ends ?? (range && [dayjs(range.from), dayjs(range.to)])}
        status={refused === null ? '' : 'error'}
        classNames={{ popup: { root: 'usage-range-popup' } }}
        renderExtraFooter={() => `Times in ${timeZone}`}
        onOpenChange={bringUp}
        onChange={(chosen) => {
          const [from, to] = chosen ?? [];
          setRefused(null);
          if (!from || !to) return onClear();
          const problem = rangeProblem(from.valueOf(), to.valueOf());
          if (problem) setRefused({ ends: [from, to], problem });
          else onChange({ from: from.toISOString(), to: to.toISOString() });
        }}
      />
      {refused && (
        <span className="usage-range-problem" role="alert">
          The range {refused.problem}
        </span>
      )}
    </div>
  );
}
