import { Button, type ButtonProps } from 'antd';
import type { MouseEventHandler } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';

interface LinkButtonProps extends Omit<ButtonProps, 'href' | 'onClick'> {
  /** A path of this app. */
  to: string;
}

/** A link that looks like a button: the router's navigation on a plain click, the browser's own otherwise. */
export function LinkButton({ to, ...rest }: LinkButtonProps) {
  const onClick = useLinkClickHandler<HTMLAnchorElement>(to);
  return (
    <Button {...rest} href={useHref(to)} onClick={onClick as unknown as MouseEventHandler<HTMLElement>} />
  );
}
