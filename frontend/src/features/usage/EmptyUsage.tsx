import { useQuery } from '@tanstack/react-query';
import { Button, Typography } from 'antd';
import { getUsage } from '../../api/usage/get.usage';
import { useProjects } from '../../api/projects/get.projects';
import { queryKeys } from '../../api/cache/query.keys';
import { KeyCurl } from '../../ui/KeyCurl';
import { LinkButton } from '../../ui/LinkButton';
import { formatLongMoment } from './usage.format';
import { dayOf, hasFilters, noFilters, type UsageView } from './usage.view';
import styles from './usage.module.css';

interface EmptyUsageProps {
  view: UsageView;
  onChange: (part: Partial<UsageView>) => void;
}

/** Nothing to show, because of the filters, because of the range, or because there are no calls yet. */
export function EmptyUsage({ view, onChange }: EmptyUsageProps) {
  const newest = useQuery({
    queryKey: queryKeys.usage({ limit: 1 }),
    queryFn: ({ signal }) => getUsage({ limit: 1 }, { signal }),
    refetchOnMount: 'always',
  });
  if (newest.isPending)
    return <div className={`list-empty ${styles.empty}`} role="status" aria-label="Loading" />;
  const last = newest.data?.rows[0];
  const lastAt = last && Date.parse(last.timestamp);

  if (hasFilters(view))
    return (
      <div className={`list-empty ${styles.empty}`}>
        <Typography.Text strong>No calls match these filters</Typography.Text>
        <Button onClick={() => onChange(noFilters)}>Clear filters</Button>
      </div>
    );
  if (lastAt !== undefined)
    return (
      <div className={`list-empty ${styles.empty}`}>
        <Typography.Text strong>No calls in this range</Typography.Text>
        <Typography.Text type="secondary">Your last call was on {formatLongMoment(lastAt)}.</Typography.Text>
        <Button onClick={() => onChange({ range: dayOf(lastAt) })}>Show that day</Button>
      </div>
    );
  return <NoCallsYet />;
}

function NoCallsYet() {
  const projects = useProjects();
  const newest = projects.data?.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];

  if (projects.isPending)
    return <div className={`list-empty ${styles.empty}`} role="status" aria-label="Loading" />;
  return (
    <div className={`list-empty ${styles.empty}`}>
      <Typography.Text strong>No calls yet</Typography.Text>
      <Typography.Text type="secondary">
        {newest
          ? `Calls made with your API keys appear here as they happen. Try it with the API key for ${newest.projectName}:`
          : 'Calls made with your API keys appear here as they happen. Create a project to get an API key.'}
      </Typography.Text>
      {newest ? (
        <KeyCurl apiKey={newest.apiKey} />
      ) : (
        <LinkButton type="primary" to="/orange-id">
          Create a project
        </LinkButton>
      )}
    </div>
  );
}
