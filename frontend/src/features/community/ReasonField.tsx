import { Input, type InputRef } from 'antd';
import type { Ref } from 'react';
import { Field } from '../../ui/Field';

interface ReasonFieldProps {
  value: string;
  /** What the schema says about it. */
  error: string | null;
  help: string;
  field: Ref<InputRef>;
  onChange: (reason: string) => void;
}

/** The reason of a report or of an administrator's change. */
export const ReasonField = ({ value, error, help, field, onChange }: ReasonFieldProps) => (
  <Field label="Reason" error={error === null ? null : `Reason ${error}`} help={help}>
    {({ status, ...control }) => (
      <Input
        {...control}
        status={status}
        ref={field}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
);

/** The help of a reason that is shown with what it is about. */
export const publicReason = 'Everyone can read it at the post.';
