import { useConfig } from '../api/config/config.context';
import { GoTo } from './GoTo';

/** Tells where users can return after sign-in, with a link to the feedback board, where a callback URL is registered on request. */
export function CallbackNote() {
  const { links } = useConfig();
  return (
    <>
      Users can only return to registered callback URLs. To register yours, ask on the{' '}
      <GoTo to={links.feedback} isExternal>
        feedback board
      </GoTo>
      .
    </>
  );
}
