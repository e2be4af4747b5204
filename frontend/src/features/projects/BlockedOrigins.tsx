import { otherOrigins } from '@orange-id/contract/origin.rule';
import type { Project } from '@orange-id/contract/projects.schema';
import { readableHost } from '@orange-id/contract/readable.host';
import { usageRanges } from '@orange-id/contract/usage.range';
import { placeToAllow } from '@orange-id/contract/other.origin.rule';
import { checkWhitelistUrl, isOriginAllowed, isWildcardUrl } from '@orange-id/contract/whitelist.rule';
import { Button, Flex, Typography } from 'antd';
import { useMemo, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useProjectRefusals } from '../../api/projects/get.refusals';
import { useOtherOrigins } from '../../api/projects/other.origins';
import { useLiveMetrics } from '../../api/usage/live.metrics';
import { isOriginWord, originLabel } from '../../ui/call.text';
import { OriginText } from '../../ui/OriginText';
import { QueryFailure } from '../../ui/LoadFailure';
import { formatCount } from '../../ui/number.text';
import { blockedOrigins } from './blocked.origins';
import { useHasProjectUsers } from './useHasProjectUsers';

const some = (count: number, one: string) => `${formatCount(count)} ${count === 1 ? one : `${one}s`}`;

export interface BlockedOriginsProps {
  project: Project;
  /** `url`: the normalised origin; `button`: the one that was clicked; `title`: the heading of the list. */
  onAllow: (url: string, button: HTMLElement, title: HTMLElement | null) => void;
  /** Called with an extension's origin or `null`; missing where the project can't allow them. */
  onAllowOther?: ((origin: string) => void) | undefined;
}

/**
 * Origins whose calls or sign-ins were refused in the last 24 hours and still would be, each with a button to allow it or the
 * reason why it can't be allowed.
 */
export function BlockedOrigins({ project, onAllow, onAllowOther }: BlockedOriginsProps) {
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
  const hasUsers = useHasProjectUsers();
  const refusals = useProjectRefusals(code, hasUsers);
  const data = query.data;
  const error = query.error ?? refusals.error;
  const isLoaded = data !== undefined && (refusals.data !== undefined || !hasUsers);
  const blocked = blockedOrigins(data?.origins ?? [], refusals.data ?? []);
  const others = useOtherOrigins(code, onAllowOther !== undefined).data?.origins ?? [];
  const exact = urls.filter((url) => !isWildcardUrl(url));
  const origins = blocked
    .filter(
      ({ origin, calls, signIns, callbacks }) =>
        (calls > 0 && isOriginAllowed(origin, urls, [], others) === 'refused') ||
        (signIns + callbacks > 0 && isOriginAllowed(origin, exact) === 'refused'),
    )
    .map((each) => ({ ...each, verdict: checkWhitelistUrl(each.origin) }));

  return (
    <Flex component="section" vertical gap={8} className="rows-end" aria-labelledby="blocked-origins-title">
      <h3 ref={title} id="blocked-origins-title" tabIndex={-1}>
        Blocked origins
      </h3>
      {error && !isLoaded ? (
        <QueryFailure title="Failed to load blocked origins" query={query.error ? query : refusals} />
      ) : origins.length === 0 ? (
        <Typography.Text type="secondary">
          {!isLoaded
            ? '\u00a0'
            : blocked.length === 0
              ? 'No blocked calls in the last 24 hours.'
              : 'No blocked origins. Every site blocked in the last 24 hours is allowed now.'}
        </Typography.Text>
      ) : (
        <>
          <Typography.Text type="secondary">
            Sites that tried to use this API key or to sign people in during the last 24 hours but aren’t in
            the project’s allowed URLs.
          </Typography.Text>
          <ul className="rows rows-dense">
            {origins.map(({ origin, calls, signIns, callbacks, verdict }) => (
              <li key={origin}>
                <span className="rows-words">
                  {isOriginWord(origin) ? originLabel(origin) : <OriginText origin={origin} />}
                </span>
                {calls > 0 && (
                  <Link
                    className="action-link tabular"
                    to={`/usage?${new URLSearchParams({ projectId: code, status: 'blocked', origin })}`}
                  >
                    {some(calls, 'call')}
                  </Link>
                )}
                {signIns > 0 && <span className="note tabular">{some(signIns, 'sign-in')}</span>}
                {callbacks > 0 && <span className="note tabular">{some(callbacks, 'callback')}</span>}
                {verdict.ok ? (
                  <Button
                    size="small"
                    aria-label={`Allow ${readableHost(origin)}`}
                    onClick={({ currentTarget }) => onAllow(verdict.url, currentTarget, title.current)}
                  >
                    Allow
                  </Button>
                ) : placeToAllow(origin) === 'others' && onAllowOther ? (
                  <Button
                    size="small"
                    aria-label={`Allow ${origin} under Other origins`}
                    onClick={() => onAllowOther(origin)}
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
