import { Typography } from 'antd';
import { buttonProps } from './LightButton';
import './ui.css';

interface KeptElsewhereProps {
  /** The URL of the portal that manages the account. */
  address: string;
  /** The page to open on that portal. */
  path: string;
}

/** Shown instead of settings that only the portal managing the account can change. */
export function KeptElsewhere({ address, path }: KeptElsewhereProps) {
  const { host } = new URL(address);
  return (
    <div className="list-empty" role="note">
      <Typography.Text strong>{host} manages your account</Typography.Text>
      <Typography.Text type="secondary">
        Sign in there to change your sign-in methods, password or sessions.
      </Typography.Text>
      <a href={new URL(path, address).href} {...buttonProps({ children: `Open ${host}` })} />
    </div>
  );
}
