import { Children, type ComponentProps, type ReactNode } from 'react';
import './button.css';
import { useHydrated } from './useHydrated';

/** A button's look; names and design follow antd. */
export interface ButtonLook {
  type?: 'primary' | 'default' | 'text';
  size?: 'large' | 'middle' | 'small';
  block?: boolean;
  icon?: ReactNode;
  className?: string;
  children?: ReactNode;
}

const hasText = (children: ReactNode) =>
  Children.toArray(children).some((child) => typeof child === 'string' || typeof child === 'number');

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
        {/* A browser that translates the page replaces text nodes; React can't insert an icon before one that is gone. */}
        {hasText(children) ? <span>{children}</span> : children}
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
  disabled = false,
  ...rest
}: ButtonLook & Omit<ComponentProps<'button'>, 'type'>) {
  const isHydrated = useHydrated();
  return (
    <button
      type="button"
      {...rest}
      // The look of a disabled button would flash in a prerendered page.
      data-waiting={!isHydrated || undefined}
      disabled={disabled || !isHydrated}
      {...buttonProps({ type, size, block, icon, className, children })}
    />
  );
}
