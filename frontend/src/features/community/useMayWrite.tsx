import { Alert } from 'antd';
import { Link, useLocation } from 'react-router-dom';
import { useForumMe } from '../../api/community/useForumMe';
import { useAuth } from '../../api/session/auth.context';
import { rememberCommunity } from '../../api/session/left.page';
import { QueryFailure } from '../../ui/LoadFailure';

/**
 * Whether the reader may write, and what is missing otherwise; `notice` is `null` if nothing is. `hasLeftDraft`: the user
 * whose session ended on this page has left a draft.
 */
export function useMayWrite(act: 'publish' | 'reply', hasLeftDraft = false) {
  const location = useLocation();
  const { isAuthenticated, isLoading } = useAuth();
  const me = useForumMe();
  const canWrite = isAuthenticated && me.data?.canWrite === true;
  const notice = isLoading ? null : !isAuthenticated ? (
    <Alert
      type="info"
      showIcon
      role="note"
      title={
        <>
          <Link to="/login" onClick={() => rememberCommunity(location)}>
            Sign in
          </Link>{' '}
          <span>
            {hasLeftDraft
              ? 'to continue your draft. It is saved in this tab.'
              : `to ${act}. You return to this page, and what you have typed stays in this tab.`}
          </span>
        </>
      }
    />
  ) : me.error ? (
    <QueryFailure title="Couldn’t check your account" query={me} />
  ) : me.data && !me.data.canWrite ? (
    <Alert
      type="info"
      showIcon
      role="note"
      title={
        <>
          Posts show their author’s display name. <Link to="/settings">Add yours in Settings</Link>{' '}
          <span>to {act}. What you have typed stays in this tab.</span>
        </>
      }
    />
  ) : null;
  return { canWrite, notice, isAdministrator: me.data?.isAdministrator === true };
}
