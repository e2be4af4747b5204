import { Typography } from 'antd';
import type { ReactNode } from 'react';
import { buttonProps } from './LightButton';
import './ui.css';

interface KeptElsewhereProps {
  /** The URL of the portal that manages the account. */
  address: string;
  /** The page to open on that portal. */
  path: string;
  /** What the user can do there. */
  children?: ReactNode;
}

/** Shown instead of settings that only the portal managing the account can change. */
export function KeptElsewhere({
  address,
  path,
  children = 'Sign in there to change your sign-in methods, password or sessions.',
}: KeptElsewhereProps) {
  const { host } = new URL(address);
  return (
    <div className="list-empty" role="note">
      <Typography.Text strong>{host} manages your account</Typography.Text>
      <Typography.Text type="secondary">{children}</Typography.Text>
      <a href={new URL(path, address).href} {...buttonProps({ children: `Open ${host}` })} />
    </div>
  );
}
