import {
  AppstoreOutlined,
  LineChartOutlined,
  PlusOutlined,
  RightOutlined,
  SettingOutlined,
} from '@ant-design/icons';
import { Button, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useAuth } from '../../api/auth.context';
import { useConfig } from '../../api/config.context';
import { EmailText } from '../../ui/EmailText';
import { UserAvatar } from '../../ui/UserAvatar';
import './dashboard.css';

const quickLinks: { to: string; icon: ReactNode; title: string; help: string }[] = [
  {
    to: '/orange-id',
    icon: <PlusOutlined />,
    title: 'Create New Project',
    help: 'A name, its domains, an API key.',
  },
  {
    to: '/projects',
    icon: <AppstoreOutlined />,
    title: 'My Projects',
    help: 'Keys and whitelisted domains.',
  },
  { to: '/usage', icon: <LineChartOutlined />, title: 'Usage', help: 'Every API call as it arrives.' },
  { to: '/settings', icon: <SettingOutlined />, title: 'Settings', help: 'Display name and e-mail.' },
];

/** What a signed-in developer sees first (spec §2): a welcome, who they are, where to go. */
export function DashboardPage() {
  const { links } = useConfig();
  return (
    <div className="dashboard">
      <section className="welcome" aria-labelledby="welcome-title">
        <div>
          <h1 id="welcome-title">Welcome to Orange ID</h1>
          <p>One sign-in for your users, one key per project, and every call in view as it is made.</p>
        </div>
        <Button size="large" href={links.learnMore} target="_blank" rel="noreferrer">
          Learn More
        </Button>
      </section>
      <div className="dashboard-columns">
        <ProfileCard />
        <nav className="quick-links" aria-label="Quick links">
          {quickLinks.map(({ to, icon, title, help }) => (
            <Link key={to} to={to} className="quick-link">
              <span className="quick-link-icon" aria-hidden>
                {icon}
              </span>
              <span className="quick-link-words">
                <span className="quick-link-title">{title}</span>
                <span className="quick-link-help">{help}</span>
              </span>
              <RightOutlined className="quick-link-mark" aria-hidden />
            </Link>
          ))}
        </nav>
      </div>
    </div>
  );
}

/** Display name, username and picture, each with the spec's fallback. */
function ProfileCard() {
  const { user } = useAuth();
  return (
    <section className="profile-card" aria-label="Profile">
      <UserAvatar user={user} size={72} />
      {user === null ? (
        <Skeleton active title={{ width: 140 }} paragraph={{ rows: 1, width: 90 }} />
      ) : (
        <div className="profile-card-words">
          <h2>{user.displayName || user.name || 'New Observer'}</h2>
          <p>@{user.userName || 'observer'}</p>
          {user.email && (
            <p>
              <EmailText email={user.email} />
            </p>
          )}
        </div>
      )}
    </section>
  );
}
