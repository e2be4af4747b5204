import '../../ui/rows.css';
import { errorTable, type ErrorCode } from '@orange-id/contract/error.codes';
import type { UsageRow } from '@orange-id/contract/usage.schema';
import { useQuery } from '@tanstack/react-query';
import { Alert, Drawer, Flex, Skeleton, Tag } from 'antd';
import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import { getUsage } from '../../api/usage/get.usage';
import { queryKeys } from '../../api/cache/query.keys';
import { Ago } from '../../ui/Ago';
import { endpointText, isOriginWord, originLabel, originSentence } from '../../ui/call.text';
import { CodeBlock } from '../../ui/CodeBlock';
import { CopyButton } from '../../ui/CopyButton';
import { LinkButton } from '../../ui/LinkButton';
import { QueryFailure } from '../../ui/LoadFailure';
import { formatCount } from '../../ui/number.text';
import { OriginText } from '../../ui/OriginText';
import { StatusTag } from '../../ui/StatusTag';
import { absoluteTime, formatDuration } from '../../ui/time.text';
import { errorAdvice, errorCause, outcomeSentence } from './error.text';
import { keyText, type Names } from './useNames';
import styles from './usage.module.css';

interface CallDetailProps {
  /** The call's `seq`; `null` if none is open. */
  call: number | null;
  names: Names;
  /** The link that opened the call, if it was opened from a link on this page. */
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** One call in full, next to its list. */
export function CallDetail({ call, names, opener, onClose }: CallDetailProps) {
  // Keeps its content while it closes.
  const [shown, setShown] = useState(call);
  if (call !== null && call !== shown) setShown(call);
  const query = useQuery({
    queryKey: queryKeys.usage({ call: shown }),
    queryFn: ({ signal }) => getUsage({ after: (shown ?? 1) - 1, limit: 1 }, { signal }),
    enabled: shown !== null,
  });
  const { data, error, isPending } = query;
  const found = data?.rows[0];
  const row = found?.seq === shown ? found : undefined;

  useEffect(() => {
    if (call === null) return;
    return () => {
      focusOn(call, opener.current);
      opener.current = null;
    };
  }, [call, opener]);

  return (
    <Drawer
      open={call !== null}
      onClose={onClose}
      size={460}
      title={shown === null ? '' : `Call ${formatCount(shown)}`}
      rootClassName={styles.detail}
      focusable={{ focusTriggerAfterClose: false }}
    >
      {isPending && (
        <div role="status" aria-label="Loading">
          <Skeleton active title={false} paragraph={{ rows: 10 }} />
        </div>
      )}
      {error && <QueryFailure title="Failed to load this call" query={query} />}
      {data && !row && (
        <Alert
          type="info"
          showIcon
          role="status"
          title="Call not found"
          description="You have no call with this number. It may be too old, or belong to another account."
        />
      )}
      {row && (
        <Flex vertical gap={8}>
          <Facts row={row} names={names} />
          <AskLink row={row} />
          <CodeBlock label="call as JSON" language="JSON" code={JSON.stringify(row, null, 2)} />
        </Flex>
      )}
    </Drawer>
  );
}

/**
 * After closing, moves the focus back to the link that opened the call, without scrolling. Without such a link, the
 * focus goes to the call in the list, or to the list's title if the call is not in it.
 */
function focusOn(call: number, opener: HTMLElement | null) {
  requestAnimationFrame(() => {
    if (opener?.isConnected) return opener.focus({ preventScroll: true });
    const link = document.querySelector<HTMLElement>(`[data-seq="${call}"] .${styles.callLink}`);
    (link ?? document.getElementById('usage-tail-title'))?.focus();
  });
}

interface FactProps {
  label: string;
  /** The text that the copy button copies; without it there is no button. */
  copy?: string;
  children: ReactNode;
}

function Fact({ label, copy, children }: FactProps) {
  return (
    <div>
      <dt className="note">{label}</dt>
      <Flex component="dd" flex={1} gap={12} align="start">
        <div className="rows-words">{children}</div>
        {copy !== undefined && (
          <CopyButton
            iconOnly
            type="text"
            size="small"
            text={copy}
            label={label.charAt(0).toLowerCase() + label.slice(1)}
          />
        )}
      </Flex>
    </div>
  );
}

/** Opens a new post about the call. Its key, origin, path and query stay here. */
function AskLink({ row: { method, endpoint, statusCode, errorCode, timestamp } }: { row: UsageRow }) {
  const call = new URLSearchParams({ method, endpoint, status: String(statusCode), at: timestamp });
  if (errorCode !== undefined) call.set('error', errorCode);
  return (
    <div>
      <LinkButton to={`/community/new?${call}`}>Ask about this call</LinkButton>
    </div>
  );
}

/** Why a call failed and what to do; an unknown code is shown alone. */
function ErrorFact({ code }: { code: string }) {
  return (
    <Fact label="Error">
      <code>{code}</code>
      {Object.hasOwn(errorTable, code) && <span>{errorCause(code as ErrorCode)}</span>}
      {errorAdvice[code] && <strong>{errorAdvice[code]}</strong>}
      <Link to={`/community?${new URLSearchParams({ q: code })}`}>Search the community</Link>
    </Fact>
  );
}

/** Where the call came from; the note doesn't repeat an origin shown above it. */
function OriginFact({ row }: { row: UsageRow }) {
  if (row.origin === null || isOriginWord(row.origin))
    return (
      <Fact label="Origin">
        {originLabel(row.origin)}
        <span className="note">{originSentence(row)}</span>
      </Fact>
    );
  return (
    <Fact label="Origin" copy={row.origin}>
      <code>
        <OriginText origin={row.origin} />
      </code>
      {row.outcome === 'blocked' && <span className="note">Not an allowed URL at the time</span>}
    </Fact>
  );
}

function Facts({ row, names }: { row: UsageRow; names: Names }) {
  const key = names.keyName(row.keyId);
  return (
    <dl className="rows">
      <Fact label="Time">
        <span className="tabular">{absoluteTime(row.timestamp)}</span>
        <span className="note tabular">
          <Ago iso={row.timestamp} />
        </span>
      </Fact>
      <Fact label="Call number" copy={String(row.seq)}>
        <code>{row.seq}</code>
      </Fact>
      <Fact label="Method">
        <code>{row.method}</code>
      </Fact>
      <Fact label="Endpoint" copy={endpointText(row)}>
        <code>{endpointText(row)}</code>
        {row.path?.includes('…') && (
          <span className="note">Anything that looks like an ID or a secret is shown as “…”.</span>
        )}
      </Fact>
      <Fact label="Status">
        <StatusTag row={row} />
      </Fact>
      <Fact label="Outcome">
        {outcomeSentence(row)}
        {row.calls !== undefined && (
          <span className="note">Combines {formatCount(row.calls)} similar calls</span>
        )}
      </Fact>
      {row.errorCode !== undefined && <ErrorFact code={row.errorCode} />}
      <OriginFact row={row} />
      <Fact label="Response time">
        <span className="tabular">{formatDuration(row.responseTime)}</span>
        <span className="note">Measured at the server</span>
      </Fact>
      <Fact label="Project">{names.projectName(row)}</Fact>
      {row.projectId !== null && (
        <Fact label="Project ID" copy={row.projectId}>
          <code>{row.projectId}</code>
        </Fact>
      )}
      <Fact label="API key">
        {key ? (
          <>
            <Flex component="span" gap={8}>
              {key.name}
              {!key.isActive && <Tag> Revoked</Tag>}
            </Flex>
            <code className="note">{key.key}</code>
          </>
        ) : (
          keyText(names, row.keyId)
        )}
      </Fact>
      <Fact label="Key ID" copy={row.keyId}>
        <code>{row.keyId}</code>
      </Fact>
    </dl>
  );
}
