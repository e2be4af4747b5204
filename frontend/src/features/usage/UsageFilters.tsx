import { CloseOutlined } from '@ant-design/icons';
import { meteredRoutes } from '@orange-id/contract/metered.routes';
import { usageRanges, type UsageRange } from '@orange-id/contract/usage.range';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { Button, Segmented, Select } from 'antd';
import { useProjects } from '../../api/get.projects';
import { CustomRange } from './CustomRange';
import { formatShortMoment, statusWord } from './usage.format';
import { defaultRange, hasFilters, isRolling, type UsageView } from './usage.view';

interface UsageFiltersProps {
  view: UsageView;
  metrics: UsageMetrics | undefined;
  onChange: (view: UsageView) => void;
}

const rangeNames = Object.keys(usageRanges) as UsageRange[];
const classes = [
  { value: '2xx', label: '2xx Success' },
  { value: '4xx', label: '4xx Refused' },
  { value: '5xx', label: '5xx Server Error' },
];

/** Text options, with the chosen one among them even when nothing was counted for it. */
function optionsOf(values: readonly string[], chosen: string | undefined) {
  const all = new Set(chosen ? [...values, chosen] : values);
  return [...all].sort().map((value) => ({ value, label: value }));
}

/** The range and the filters that totals, chart and calls share; their state is the address. */
export function UsageFilters({ view, metrics, onChange }: UsageFiltersProps) {
  const projects = useProjects();
  const change = (part: Partial<UsageView>) => onChange({ ...view, ...part });

  const projectOptions = (projects.data ?? []).map(({ code, projectName }) => ({
    value: code,
    label: projectName,
  }));
  if (view.projectId && !projectOptions.some(({ value }) => value === view.projectId))
    projectOptions.push({ value: view.projectId, label: view.projectId });
  const called = metrics?.endpoints.map(({ endpoint }) => endpoint) ?? [];
  const callable = Object.values(meteredRoutes).map(({ path }) => path);
  const seen = [...(metrics?.statuses.map(({ statusCode }) => String(statusCode)) ?? []), view.status ?? '']
    .filter((status, index, all) => /^\d{3}$/.test(status) && all.indexOf(status) === index)
    .sort()
    .map((value) => ({ value, label: `${value} ${statusWord(Number(value))}` }));

  return (
    <div className="usage-filters" role="group" aria-label="Range and filters">
      <div className="usage-filters-range">
        <Segmented<UsageRange | 'fixed'>
          aria-label="Time range"
          options={rangeNames}
          value={isRolling(view.range) ? view.range : 'fixed'}
          onChange={(range) => range !== 'fixed' && change({ range })}
        />
        <CustomRange range={view.range} onChange={(range) => change({ range })} />
        {!isRolling(view.range) && (
          <Button
            className="usage-filters-fixed tabular"
            icon={<CloseOutlined />}
            iconPlacement="end"
            aria-label="Back to the last 24 hours"
            onClick={() => change({ range: defaultRange })}
          >
            {formatShortMoment(Date.parse(view.range.from))} – {formatShortMoment(Date.parse(view.range.to))}
          </Button>
        )}
      </div>
      <Select
        aria-label="Project"
        className="usage-filters-select"
        value={view.projectId ?? ''}
        options={[{ value: '', label: 'All projects' }, ...projectOptions]}
        onChange={(projectId) => change({ projectId })}
        popupMatchSelectWidth={false}
      />
      <Select
        aria-label="Endpoint"
        className="usage-filters-select"
        value={view.endpoint ?? ''}
        options={[
          { value: '', label: 'All endpoints' },
          ...optionsOf([...callable, ...called], view.endpoint),
        ]}
        onChange={(endpoint) => change({ endpoint })}
        popupMatchSelectWidth={false}
      />
      <Select
        aria-label="Status"
        className="usage-filters-select"
        value={view.status ?? ''}
        options={[{ value: '', label: 'All statuses' }, ...classes, ...seen]}
        onChange={(status) => change({ status })}
        popupMatchSelectWidth={false}
      />
      {hasFilters(view) && (
        <Button type="text" onClick={() => onChange({ range: view.range })}>
          Clear filters
        </Button>
      )}
    </div>
  );
}
