import { CalendarOutlined } from '@ant-design/icons';
import { Button, Input, Popover, type InputRef } from 'antd';
import { useRef, useState, type FormEvent, type RefObject } from 'react';
import { Field } from '../../ui/Field';
import { boundsOf, rangeProblem, type FixedRange, type UsageView } from './usage.view';

interface CustomRangeProps {
  range: UsageView['range'];
  onChange: (range: FixedRange) => void;
}

/** The local time as a `datetime-local` field wants it. */
function toField(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Chooses a range that stays where it is: the keyboard's way to what dragging over the chart does. */
export function CustomRange({ range, onChange }: CustomRangeProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const from = useRef<InputRef>(null);
  const close = () => {
    setIsOpen(false);
    button.current?.focus();
  };
  return (
    <Popover
      trigger="click"
      open={isOpen}
      onOpenChange={setIsOpen}
      afterOpenChange={(opened) => opened && from.current?.focus()}
      placement="bottomLeft"
      destroyOnHidden
      content={
        <RangeForm
          from={from}
          range={range}
          onApply={(chosen) => {
            close();
            onChange(chosen);
          }}
          onClose={close}
        />
      }
    >
      <Button ref={button} icon={<CalendarOutlined />} aria-expanded={isOpen}>
        Custom
      </Button>
    </Popover>
  );
}

interface RangeFormProps {
  /** Where its first field goes, for who gives it the focus. */
  from: RefObject<InputRef | null>;
  range: UsageView['range'];
  onApply: (range: FixedRange) => void;
  onClose: () => void;
}

function RangeForm({ from, range, onApply, onClose }: RangeFormProps) {
  const [fields, setFields] = useState(() => {
    const { from, to } = boundsOf({ range }, Date.now());
    return { from: toField(from), to: toField(to ?? Date.now()) };
  });
  const [problem, setProblem] = useState<string | null>(null);

  const apply = (event: FormEvent) => {
    event.preventDefault();
    const [start, end] = [Date.parse(fields.from), Date.parse(fields.to)];
    const found = rangeProblem(start, end);
    setProblem(found && `The range ${found}`);
    if (!found) onApply({ from: new Date(start).toISOString(), to: new Date(end).toISOString() });
  };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  return (
    <form
      className="usage-range-form"
      onSubmit={apply}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
      aria-label="Custom range"
    >
      <Field label="From">
        {(control) => (
          <Input
            {...control}
            ref={from}
            type="datetime-local"
            value={fields.from}
            onChange={({ target }) => setFields({ ...fields, from: target.value })}
          />
        )}
      </Field>
      <Field label="To" help={`Times in ${zone}`} error={problem}>
        {(control) => (
          <Input
            {...control}
            type="datetime-local"
            value={fields.to}
            onChange={({ target }) => setFields({ ...fields, to: target.value })}
          />
        )}
      </Field>
      <Button type="primary" htmlType="submit" block>
        Apply
      </Button>
    </form>
  );
}
