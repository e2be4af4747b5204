import { Alert } from 'antd';
import { Link } from 'react-router-dom';
import { useForumMe } from '../../api/community/useForumMe';
import { useAuth } from '../../api/session/auth.context';
import { QueryFailure } from '../../ui/LoadFailure';

/** Whether the reader may write, and what is missing otherwise; `notice` is `null` if nothing is. */
export function useMayWrite() {
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
          <Link to="/login">Sign in</Link> to publish. What you have typed stays in this tab.
        </>
      }
    />
  ) : me.error ? (
    <QueryFailure title="Failed to load whether you may write" query={me} />
  ) : me.data && !me.data.canWrite ? (
    <Alert
      type="info"
      showIcon
      role="note"
      title={
        <>
          Posts show their author’s display name. <Link to="/settings">Add yours in Settings</Link> to
          publish. What you have typed stays in this tab.
        </>
      }
    />
  ) : null;
  return { canWrite, notice, isAdministrator: me.data?.isAdministrator === true };
}
