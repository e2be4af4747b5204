import { useConfig } from '../api/config.context';
import { GoTo } from './GoTo';
import './ui.css';

/** Tells where users can return after sign-in, with a link to the portal's support to register a callback URL. */
export function CallbackNote() {
  const { links } = useConfig();
  return (
    <>
      Users can only return to registered callback URLs. To register yours,{' '}
      <GoTo to={links.feedback} isExternal className="callback-note-link">
        contact support
      </GoTo>
      .
    </>
  );
}
