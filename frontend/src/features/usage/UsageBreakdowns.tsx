import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { Breakdown, type BreakdownItem } from './Breakdown';
import { statusTone, statusWord } from './usage.format';
import type { UsageView } from './usage.view';

interface UsageBreakdownsProps {
  view: UsageView;
  metrics: UsageMetrics;
  onChange: (view: UsageView) => void;
}

/** Calls by endpoint and by status. */
export function UsageBreakdowns({ view, metrics, onChange }: UsageBreakdownsProps) {
  const toggle = (field: 'endpoint' | 'status', value: string) => ({
    isChosen: view[field] === value,
    onToggle: () => onChange({ ...view, [field]: view[field] === value ? '' : value }),
  });
  const byCalls = (a: { calls: number }, b: { calls: number }) => b.calls - a.calls;

  const endpoints = metrics.endpoints.toSorted(byCalls).map<BreakdownItem>(({ endpoint, method, calls }) => ({
    key: `${method} ${endpoint}`,
    label: endpoint,
    code: method,
    calls,
    tone: 'neutral',
    ...toggle('endpoint', endpoint),
  }));
  const statuses = metrics.statuses.toSorted(byCalls).flatMap<BreakdownItem>(({ statusCode, calls }) => {
    const status = { code: String(statusCode), ...toggle('status', String(statusCode)) };
    // The origin rule refuses with 403 only; other refusals with 403 are counted apart.
    const blocked = statusCode === 403 ? Math.min(calls, metrics.totals.blocked) : 0;
    const rest = calls - blocked;
    return [
      ...(blocked > 0
        ? [
            {
              ...status,
              key: 'blocked',
              label: 'Blocked by origin',
              calls: blocked,
              tone: 'blocked' as const,
            },
          ]
        : []),
      ...(rest > 0
        ? [
            {
              ...status,
              key: status.code,
              label: statusWord(statusCode),
              calls: rest,
              tone: statusTone(statusCode),
            },
          ]
        : []),
    ];
  });
  return (
    <div className="usage-breakdowns">
      <Breakdown title="By endpoint" items={endpoints} />
      <Breakdown title="By status" items={statuses} />
    </div>
  );
}
