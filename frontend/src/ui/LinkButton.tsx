import { Button, type ButtonProps } from 'antd';
import type { MouseEventHandler } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';

interface LinkButtonProps extends Omit<ButtonProps, 'href' | 'onClick'> {
  /** A path of this app. */
  to: string;
  /** Told of a plain click, before the page changes. */
  onGo?: () => void;
}

/** A link that looks like a button: the router's navigation on a plain click, the browser's own otherwise. */
export function LinkButton({ to, onGo, ...rest }: LinkButtonProps) {
  const go = useLinkClickHandler<HTMLAnchorElement>(to) as unknown as MouseEventHandler<HTMLElement>;
  return (
    <Button
      {...rest}
      href={useHref(to)}
      onClick={(event) => {
        go(event);
        // The router takes over a plain click only; with a modifier the page opens elsewhere and this one stays.
        if (event.defaultPrevented) onGo?.();
      }}
    />
  );
}
