import { otherOrigins } from '@orange-id/contract/origin.rule';
import type { Project } from '@orange-id/contract/projects.schema';
import { usageRanges } from '@orange-id/contract/usage.range';
import { checkWhitelistUrl, isOriginAllowed } from '@orange-id/contract/whitelist.rule';
import { Button, Flex, Typography } from 'antd';
import { useMemo, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useLiveMetrics } from '../../api/usage/live.metrics';
import { originLabel } from '../../ui/call.text';
import { QueryFailure } from '../../ui/LoadFailure';
import { formatCount } from '../../ui/number.text';

export interface BlockedOriginsProps {
  project: Project;
  /** `url`: the normalised origin; `button`: the one that was clicked; `title`: the heading of the list. */
  onAllow: (url: string, button: HTMLElement, title: HTMLElement | null) => void;
}

/**
 * Origins whose calls were blocked in the last 24 hours and still would be, each with a button to allow it or the
 * reason why it can't be allowed.
 */
export function BlockedOrigins({ project, onAllow }: BlockedOriginsProps) {
  const { code, urls } = project;
  const title = useRef<HTMLHeadingElement>(null);
  const view = useMemo(() => ({ of: 'blocked', projectId: code }), [code]);
  const query = useLiveMetrics({
    view,
    filtersAt: (now) => ({
      projectId: code,
      status: 'blocked',
      from: new Date(now - usageRanges['24h']).toISOString(),
    }),
    isOpen: true,
    isReplacing: false,
  });
  const { data, error } = query;
  const origins = (data?.origins ?? []).flatMap(({ origin, calls }) =>
    origin !== null && isOriginAllowed(origin, urls) === 'refused'
      ? [{ origin, calls, verdict: checkWhitelistUrl(origin) }]
      : [],
  );

  return (
    <Flex component="section" vertical gap={8} className="rows-end" aria-labelledby="blocked-origins-title">
      <h3 ref={title} id="blocked-origins-title" tabIndex={-1}>
        Blocked origins
      </h3>
      {error && !data ? (
        <QueryFailure title="Failed to load blocked origins" query={query} />
      ) : origins.length === 0 ? (
        <Typography.Text type="secondary">
          {!data
            ? '\u00a0'
            : !data.origins?.length
              ? 'No blocked calls in the last 24 hours.'
              : 'No blocked origins. Every site blocked in the last 24 hours is allowed now.'}
        </Typography.Text>
      ) : (
        <>
          <Typography.Text type="secondary">
            Sites that tried to use this API key in the last 24 hours but aren’t in the project’s allowed
            URLs.
          </Typography.Text>
          <ul className="rows rows-dense">
            {origins.map(({ origin, calls, verdict }) => (
              <li key={origin}>
                <span className="rows-words">{originLabel(origin)}</span>
                <Link
                  className="action-link tabular"
                  to={`/usage?${new URLSearchParams({ projectId: code, status: 'blocked', origin })}`}
                >
                  {formatCount(calls)} {calls === 1 ? 'call' : 'calls'}
                </Link>
                {verdict.ok ? (
                  <Button
                    size="small"
                    aria-label={`Allow ${origin}`}
                    onClick={({ currentTarget }) => onAllow(verdict.url, currentTarget, title.current)}
                  >
                    Allow
                  </Button>
                ) : (
                  <span className="note">
                    {origin === otherOrigins
                      ? 'Several origins, counted together'
                      : 'Can’t be allowed: not a public site'}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Flex>
  );
}
