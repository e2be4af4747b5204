import { useId, type ReactNode } from 'react';
import './field.css';

interface FieldControl {
  id: string;
  status: 'error' | '';
  'aria-invalid': boolean;
  'aria-describedby': string;
}

interface FieldProps {
  label: string;
  help?: ReactNode;
  /** Takes the place of the help while it is there. */
  error?: string | null;
  /** The button that acts on the control: beside it, or on a phone below the help. */
  action?: ReactNode;
  children: (control: FieldControl) => ReactNode;
}

/** A form field: label above, help below, error in place of the help in the same space. */
export function Field({ label, help, error, action, children }: FieldProps) {
  const id = useId();
  const control: FieldControl = {
    id,
    status: error ? 'error' : '',
    'aria-invalid': Boolean(error),
    'aria-describedby': `${id}-note`,
  };
  return (
    <div className={action ? 'field field-acting' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {children(control)}
      <div id={`${id}-note`} className={error ? 'field-note field-note-error' : 'field-note'}>
        {/* There before its words, so that they are announced; the help that comes back is not. */}
        <span aria-live="polite">{error}</span>
        {!error && help}
      </div>
      {action && <div className="field-action">{action}</div>}
    </div>
  );
}
