import type { ComponentProps, ReactNode } from 'react';
import './button.css';

/** A button's look; names and design follow antd. */
export interface ButtonLook {
  type?: 'primary' | 'default' | 'text';
  size?: 'large' | 'middle' | 'small';
  block?: boolean;
  icon?: ReactNode;
  className?: string;
  children?: ReactNode;
}

/** The props that make an element look like a button. */
export function buttonProps({
  type = 'default',
  size = 'middle',
  block,
  icon,
  className,
  children,
}: ButtonLook) {
  return {
    className: className === undefined ? 'button' : `button ${className}`,
    'data-type': type,
    'data-size': size,
    'data-block': block || undefined,
    'data-icon-only': (icon !== undefined && !children) || undefined,
    children: (
      <>
        {icon}
        {children}
      </>
    ),
  };
}

/** A button without antd, for what renders before antd loads: the landing page, the shell, error screens. */
export function LightButton({
  type,
  size,
  block,
  icon,
  className,
  children,
  ...rest
}: ButtonLook & Omit<ComponentProps<'button'>, 'type'>) {
  return (
    <button type="button" {...rest} {...buttonProps({ type, size, block, icon, className, children })} />
  );
}
