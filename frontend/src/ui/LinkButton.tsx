import type { MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import { buttonProps, type ButtonLook } from './LightButton';

interface LinkButtonProps extends ButtonLook {
  /** A path in this app. */
  to: string;
  /** Passed to the page. */
  state?: unknown;
  /** Called on a plain click, before the page changes. */
  onGo?: () => void;
}

/** A link that looks like a button: a plain click uses the router, any other click the browser's navigation. */
export function LinkButton({ to, state, onGo, ...look }: LinkButtonProps) {
  const onClick = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent) => {
    // With a modifier key the browser opens another tab and this page stays.
    if (button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey) onGo?.();
  };
  return <Link to={to} state={state} onClick={onClick} {...buttonProps(look)} />;
}
