import '../../ui/light-card.css';
import { useConfig } from '../../api/config/config.context';
import { useProjects } from '../../api/projects/get.projects';
import { useReward } from '../../api/profile/get.reward';
import { useLastCall } from '../../api/usage/last.call';
import { GoTo } from '../../ui/GoTo';
import { useState } from 'react';
import { LiveCalls } from '../../ui/LiveCalls';
import { RankCard } from '../../ui/RankCard';
import { GettingStarted } from './GettingStarted';
import { ProfileCard } from './ProfileCard';
import { knownOf } from './known.query';
import { hasOpenStep, stepsOf } from './started.steps';
import styles from './dashboard.module.css';

/** The home page of a signed-in user: next steps, profile, rank and live calls. */
export function DashboardPage() {
  const { links } = useConfig();
  const projects = useProjects();
  const lastCall = useLastCall();
  const steps = stepsOf({
    projects: knownOf(projects),
    lastCall: knownOf(lastCall),
  });
  const reward = useReward();
  // Open steps show at the top, and stay there until the user leaves the page.
  const [isNewcomer, setIsNewcomer] = useState(false);
  if (!isNewcomer && hasOpenStep(steps)) setIsNewcomer(true);
  const retry = () => {
    if (projects.isError) void projects.refetch();
    if (lastCall.isError) void lastCall.refetch();
  };

  const started = <GettingStarted steps={steps} projects={projects.data} onRetry={retry} />;

  return (
    <div className="stack">
      <section className="light-card banner" aria-labelledby="welcome-title">
        <div className="banner-words">
          <h1 id="welcome-title">Welcome to Orange ID</h1>
          <p>Add sign-in to your apps, get an API key for each project, and watch every call live.</p>
        </div>
        <GoTo to={links.learnMore} isExternal className="button">
          Learn More
        </GoTo>
      </section>
      {isNewcomer && started}
      <div className={`stack ${styles.columns}`}>
        <div className={`stack ${styles.person}`}>
          <ProfileCard />
          <RankCard reward={reward} />
        </div>
        <section className={`light-card ${styles.calls}`} aria-labelledby="dash-calls-title">
          <LiveCalls title={<h2 id="dash-calls-title">API calls</h2>} lastCall={lastCall} />
        </section>
      </div>
      {!isNewcomer && started}
    </div>
  );
}
