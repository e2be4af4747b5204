import { useId, type ReactNode } from 'react';
import styles from './field.module.css';

interface FieldControl {
  id: string;
  status: 'error' | '';
  'aria-invalid': boolean;
  'aria-describedby': string;
}

interface FieldProps {
  label: string;
  help?: ReactNode;
  /** Replaces the help text. */
  error?: string | null;
  /** What helps, below the error. */
  advice?: string | null;
  /** The button that submits the control: beside it, or below the help on a phone. */
  action?: ReactNode;
  children: (control: FieldControl) => ReactNode;
}

/** A form field: label above, help below, error in place of the help in the same space. */
export function Field({ label, help, error, advice, action, children }: FieldProps) {
  const id = useId();
  const control: FieldControl = {
    id,
    status: error ? 'error' : '',
    'aria-invalid': Boolean(error),
    'aria-describedby': `${id}-note`,
  };
  return (
    <div className={action ? `${styles.root} ${styles.acting}` : styles.root}>
      <label htmlFor={id}>{label}</label>
      {children(control)}
      <div id={`${id}-note`} className={error ? `${styles.note} ${styles.noteError}` : styles.note}>
        {/* Rendered before it has text, so that screen readers announce the error. The help is outside it and isn't
            announced. */}
        <span aria-live="polite">{error}</span>
        <span>{!error && help}</span>
        {error && advice ? <span className={styles.advice}>{advice}</span> : null}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
