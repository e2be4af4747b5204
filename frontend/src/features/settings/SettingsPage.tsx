import { ArrowLeftOutlined } from '@ant-design/icons';
import { Alert, Button, Card, Skeleton } from 'antd';
import { Link, useSearchParams } from 'react-router-dom';
import { useAuth } from '../../api/auth.context';
import { PageHead } from '../../ui/PageHead';
import { ProfileField } from './ProfileField';
import './settings.css';
import { SignInSection } from './SignInSection';

/** `/settings` (spec §2): the fields of the profile, each with a view and an edit state. */
export function SettingsPage() {
  const { user, isLoading } = useAuth();
  const [query] = useSearchParams();

  return (
    <div className="settings">
      {query.get('from') === 'orange-id' && (
        <Link to="/orange-id" className="settings-back">
          <ArrowLeftOutlined aria-hidden /> Back to your project
        </Link>
      )}
      <PageHead title="Settings" help="Your profile. A project needs both a display name and an email." />
      {user ? (
        <>
          <Card title="Profile">
            <div className="settings-fields">
              <ProfileField
                key={`displayName ${user.id}`}
                field="displayName"
                value={user.displayName ?? ''}
                userId={user.id}
              />
              <ProfileField
                key={`email ${user.id}`}
                field="email"
                value={user.email ?? ''}
                userId={user.id}
              />
            </div>
          </Card>
          <SignInSection user={user} />
        </>
      ) : isLoading ? (
        <Card title="Profile">
          <Skeleton active title={false} paragraph={{ rows: 4 }} />
        </Card>
      ) : (
        <Alert
          type="warning"
          showIcon
          role="alert"
          title="Your profile could not be loaded"
          description="The identity service does not answer at the moment."
          action={<Button onClick={() => window.location.reload()}>Try again</Button>}
        />
      )}
    </div>
  );
}
