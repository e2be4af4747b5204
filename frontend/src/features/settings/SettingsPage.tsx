import { ArrowLeftOutlined } from '@ant-design/icons';
import { Alert, Button, Card, Skeleton } from 'antd';
import { Link, useSearchParams } from 'react-router-dom';
import { failureText } from '../../api/failure.text';
import { useKnownUser } from '../../api/useKnownUser';
import { PageHead } from '../../ui/PageHead';
import { AvatarSection } from './AvatarSection';
import { profileFieldNames, profileFields } from './profile.fields';
import { ProfileField } from './ProfileField';
import './settings.css';
import { SignInSection } from './SignInSection';

/** `/settings` (spec §2): the fields of the profile, each with a view and an edit state. */
export function SettingsPage() {
  const { user, error, retry } = useKnownUser();
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
          <AvatarSection user={user} />
          <Card title="Profile">
            <div className="settings-fields">
              {profileFieldNames.map((field) => (
                <ProfileField
                  key={`${field} ${user.id}`}
                  field={field}
                  value={profileFields[field].valueOf(user) ?? ''}
                  userId={user.id}
                />
              ))}
            </div>
          </Card>
          <SignInSection user={user} />
        </>
      ) : error ? (
        <Alert
          type="warning"
          showIcon
          role="alert"
          title="Your profile could not be loaded"
          description={failureText(error)}
          action={<Button onClick={retry}>Try again</Button>}
        />
      ) : (
        <div className="settings-loading" role="status" aria-label="Loading">
          <Card title="Profile Picture">
            <Skeleton.Node active className="avatar-bone" />
          </Card>
          <Card title="Profile">
            <Skeleton active title={false} paragraph={{ rows: 10 }} />
          </Card>
        </div>
      )}
    </div>
  );
}
