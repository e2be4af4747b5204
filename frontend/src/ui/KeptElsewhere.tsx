import './kept-elsewhere.css';
import { buttonProps } from './LightButton';

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
    <div className="kept-elsewhere" role="note">
      <strong>{host} manages your account</strong>
      <span>Sign in there to change your sign-in methods, password or sessions.</span>
      <a href={new URL(path, address).href} {...buttonProps({ children: `Open ${host}` })} />
    </div>
  );
}
