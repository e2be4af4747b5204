import type { MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import { buttonProps, type ButtonLook } from './LightButton';

interface LinkButtonProps extends ButtonLook {
  /** A path of this app. */
  to: string;
  /** Handed to the page. */
  state?: unknown;
  /** Told of a plain click, before the page changes. */
  onGo?: () => void;
}

/** A link that looks like a button: the router's navigation on a plain click, the browser's own otherwise. */
export function LinkButton({ to, state, onGo, ...look }: LinkButtonProps) {
  const onClick = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent) => {
    // With a modifier the page opens elsewhere and this one stays.
    if (button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey) onGo?.();
  };
  return <Link to={to} state={state} onClick={onClick} {...buttonProps(look)} />;
}
