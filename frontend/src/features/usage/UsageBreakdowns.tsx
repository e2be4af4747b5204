import { noOrigin } from '@orange-id/contract/usage.filter.schema';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { endpointLabel, isOriginWord, originLabel, statusTone, statusText } from '../../ui/call.text';
import { Breakdown, type BreakdownItem } from './Breakdown';
import type { UsageView, ViewFilters } from './usage.view';
import { keyLabel, keyParts, type Names } from './useNames';
import styles from './usage.module.css';

interface UsageBreakdownsProps {
  view: UsageView;
  metrics: UsageMetrics;
  names: Names;
  onNarrow: (filters: ViewFilters) => void;
  onWiden: (filters: ViewFilters) => void;
}

/** Calls by endpoint, status, key and origin; each bar filters by what it counts. */
export function UsageBreakdowns({ view, metrics, names, onNarrow, onWiden }: UsageBreakdownsProps) {
  const toggle = (filters: ViewFilters) => {
    const isChosen = Object.entries(filters).every(
      ([name, value]) => view[name as keyof ViewFilters] === value,
    );
    return { isChosen, onToggle: () => (isChosen ? onWiden : onNarrow)(filters) };
  };

  const endpoints = metrics.endpoints.map<BreakdownItem>(({ endpoint, method, calls }) => ({
    key: `${method} ${endpoint}`,
    label: endpointLabel(endpoint),
    lead: method,
    title: `${method} ${endpointLabel(endpoint)}`,
    calls,
    ...toggle({ endpoint, method }),
  }));
  const keys = metrics.keys.map<BreakdownItem>(({ keyId, calls }) => ({
    key: keyId,
    ...keyParts(names, keyId),
    ...(names.keyName(keyId)?.isActive === false ? { tag: 'Revoked' } : {}),
    title: keyLabel(names, keyId),
    calls,
    ...toggle({ keyId }),
  }));
  const origins = metrics.origins?.map<BreakdownItem>(({ origin, calls }) => ({
    key: origin ?? noOrigin,
    label: originLabel(origin),
    title: isOriginWord(origin) ? originLabel(origin) : String(origin),
    calls,
    ...toggle({ origin: origin ?? noOrigin }),
  }));
  return (
    <div className={`stack ${styles.breakdowns}`}>
      <Breakdown title="By endpoint" items={endpoints} />
      <Breakdown title="By status" items={statusItems(metrics, toggle)} />
      <Breakdown title="By key" items={keys} />
      <Breakdown
        title="By origin"
        items={origins ?? []}
        {...(origins
          ? {}
          : {
              note: 'To see origins, choose a range under two days or filter by endpoint, method, status, error or origin.',
            })}
      />
    </div>
  );
}

type Toggle = (filters: ViewFilters) => Pick<BreakdownItem, 'isChosen' | 'onToggle'>;

function statusItems({ statuses, totals }: UsageMetrics, toggle: Toggle): BreakdownItem[] {
  const items = statuses.map<BreakdownItem>(({ statusCode, calls }) => ({
    key: String(statusCode),
    lead: String(statusCode),
    label: statusText(statusCode),
    // Blocked calls have status 403 too, but a bar of their own.
    calls: statusCode === 403 ? calls - totals.blocked : calls,
    tone: statusTone(statusCode),
    ...toggle({ status: String(statusCode) }),
  }));
  const blocked: BreakdownItem = {
    key: 'blocked',
    lead: '403',
    label: 'Blocked',
    calls: totals.blocked,
    tone: 'blocked',
    ...toggle({ status: 'blocked' }),
  };
  return [...items, blocked].filter(({ calls }) => calls > 0).sort((a, b) => b.calls - a.calls);
}
