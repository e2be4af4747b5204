import { ExclamationCircleOutlined, UndoOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { useId, type ReactNode } from 'react';

interface SettingProps {
  label: string;
  /** Of the control that the label presses; without one, the label names a group of controls. */
  htmlFor?: string;
  /** The current value, at the right of the label. */
  value?: string;
  help?: ReactNode;
  /** In place of the help. */
  problem?: string | undefined;
  /** The default in words, and how to return to it; only if the value differs. */
  reset?: { to: string; act(): void } | false;
  children: ReactNode;
}

/** One setting: its label, its controls, what is wrong with it or what it means, and its reset. */
export function Setting({ label, htmlFor, value, help, problem, reset, children }: SettingProps) {
  const id = useId();
  return (
    <div className="field column" {...(htmlFor === undefined && { role: 'group', 'aria-labelledby': id })}>
      <div className="label">
        {htmlFor === undefined ? <span id={id}>{label}</span> : <label htmlFor={htmlFor}>{label}</label>}
        {value !== undefined && <span aria-hidden>{value}</span>}
      </div>
      {children}
      <Problem text={problem} />
      {help !== undefined && problem === undefined && <p className="help">{help}</p>}
      <Reset label={label} reset={reset} />
    </div>
  );
}

export function Problem({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className="problem" role="alert">
      <ExclamationCircleOutlined aria-hidden /> {text}
    </p>
  );
}

/** Names the default; in a tooltip if `isSmall`. */
export function Reset({
  label,
  reset = false,
  isSmall = false,
}: {
  label: string;
  reset: SettingProps['reset'];
  isSmall?: boolean;
}) {
  if (!reset) return null;
  const text = `Reset to ${reset.to}`;
  return (
    <Tooltip title={isSmall ? text : ''}>
      <Button
        className="reset"
        type="text"
        size="small"
        icon={<UndoOutlined aria-hidden />}
        aria-label={`Reset ${label} to ${reset.to}`}
        onClick={reset.act}
      >
        {isSmall ? null : text}
      </Button>
    </Tooltip>
  );
}
