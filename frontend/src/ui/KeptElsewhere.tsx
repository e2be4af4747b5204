import './kept-elsewhere.css';
import { buttonProps } from './LightButton';

interface KeptElsewhereProps {
  /** Of the portal that keeps the account. */
  address: string;
  /** Where on that portal to go. */
  path: string;
}

/** In the place of what only the portal that keeps the account may change. */
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
