import type { ComponentProps, ReactNode } from 'react';
import './button.css';

/** How a button looks; the words are antd's, and so is the look. */
export interface ButtonLook {
  type?: 'primary' | 'default' | 'text';
  size?: 'large' | 'middle' | 'small';
  block?: boolean;
  icon?: ReactNode;
  className?: string;
  children?: ReactNode;
}

/** What an element needs to look like a button, and what stands in it. */
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

/** A button without antd, for what is drawn before antd is loaded: the landing page, the shell, what went wrong. */
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
