import type { Project } from '@orange-id/contract/projects.schema';
import { usageRanges } from '@orange-id/contract/usage.range';
import { checkWhitelistUrl, isOriginAllowed } from '@orange-id/contract/whitelist.rule';
import { Button, Typography } from 'antd';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { useLiveMetrics } from '../../api/live.metrics';
import { originLabel } from '../../ui/call.text';
import { CardFailure } from '../../ui/CardFailure';
import { formatCount } from '../../ui/number.text';

interface BlockedOriginsProps {
  project: Project;
  onAllow: (origin: string) => void;
}

/** The origins whose calls were blocked in the last 24 hours and still would be, each with what lets it in. */
export function BlockedOrigins({ project, onAllow }: BlockedOriginsProps) {
  const { code, urls } = project;
  const view = useMemo(() => ({ of: 'blocked', projectId: code }), [code]);
  const { data, error, isFetching, refetch } = useLiveMetrics({
    view,
    filtersAt: (now) => ({
      projectId: code,
      status: 'blocked',
      from: new Date(now - usageRanges['24h']).toISOString(),
    }),
    isOpen: true,
    isReplacing: false,
  });
  const origins = (data?.origins ?? []).flatMap(({ origin, calls }) =>
    origin !== null && isOriginAllowed(origin, urls) === 'refused' ? [{ origin, calls }] : [],
  );

  return (
    <section className="blocked-origins" aria-labelledby="blocked-origins-title">
      <h3 id="blocked-origins-title">Blocked origins</h3>
      {error && !data ? (
        <CardFailure
          title="Failed to load the blocked origins"
          error={error}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : origins.length === 0 ? (
        <Typography.Text type="secondary">
          {data ? 'No site outside the whitelist called in the last 24 hours.' : '\u00a0'}
        </Typography.Text>
      ) : (
        <>
          <Typography.Text type="secondary">
            These sites called with this key in the last 24 hours and are not in the whitelist.
          </Typography.Text>
          <ul className="blocked-list">
            {origins.map(({ origin, calls }) => (
              <li key={origin}>
                <span className="blocked-origin">{originLabel(origin)}</span>
                <Link
                  className="blocked-calls tabular"
                  to={`/usage?${new URLSearchParams({ projectId: code, status: 'blocked', origin })}`}
                >
                  {formatCount(calls)} {calls === 1 ? 'call' : 'calls'}
                </Link>
                {checkWhitelistUrl(origin).ok ? (
                  <Button size="small" aria-label={`Allow ${origin}`} onClick={() => onAllow(origin)}>
                    Allow
                  </Button>
                ) : (
                  <span className="blocked-never">Not a public site</span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
