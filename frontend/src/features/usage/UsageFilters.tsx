import { FilterOutlined, SearchOutlined } from '@ant-design/icons';
import { meteredPaths } from '@orange-id/contract/metered.paths';
import { noOrigin } from '@orange-id/contract/usage.filter.schema';
import { usageRanges, type UsageRange } from '@orange-id/contract/usage.range';
import { unknownEndpoint } from '@orange-id/contract/usage.path.rule';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { Button, Flex, Segmented, Select, Skeleton, Switch, Tag } from 'antd';
import { lazy, Suspense, useId, useState } from 'react';
import { endpointLabel, originLabel, statusText } from '../../ui/call.text';
import { EndedText } from '../../ui/EndedText';
import { errorAdvice } from './error.text';
import { countFilters, isRolling, noFilters, type UsageView, type ViewFilters } from './usage.view';
import { keyLabel, keyText, type Names } from './useNames';
import styles from './usage.module.css';

interface UsageFiltersProps {
  view: UsageView;
  isCompared: boolean;
  /** Whether the previous period is known to have no calls. */
  isPreviousEmpty: boolean;
  metrics: UsageMetrics | undefined;
  names: Names;
  onChange: (part: Partial<UsageView>) => void;
  onCompare: (isCompared: boolean) => void;
}

interface Option {
  value: string;
  label: string;
  /** How the list shows the option if its label ends in a tag. */
  tagged?: { text: string; tag: string };
}

interface ShownFilter extends Pick<FilterProps, 'name' | 'all' | 'options' | 'isOpenEnded'> {
  field: keyof ViewFilters;
  /** The label of a chosen value that is not among the options. */
  labelOf?: (value: string) => string;
}

/** Loaded lazily, because the calendar is large and few users need it. */
const RangePicker = lazy(async () => ({ default: (await import('./RangePicker')).RangePicker }));

const rangeNames = Object.keys(usageRanges) as UsageRange[];
const statusGroups: Option[] = [
  { value: '2xx', label: '2xx Success' },
  { value: '4xx', label: '4xx Client Error' },
  { value: '5xx', label: '5xx Server Error' },
  { value: 'errors', label: 'Any error' },
  { value: 'blocked', label: 'Blocked' },
  { value: 'revoked', label: 'Revoked key' },
];
const byLabel = (a: Option, b: Option) => a.label.localeCompare(b.label);

/** The options in order, without duplicates, plus the chosen one even if nothing was counted for it. */
function optionsOf(
  options: readonly Option[],
  chosen: string | undefined,
  labelOf = (value: string) => value,
) {
  const known = new Map(options.map((option) => [option.value, option]));
  if (chosen && !known.has(chosen)) known.set(chosen, { value: chosen, label: labelOf(chosen) });
  return [...known.values()];
}

const asOptions = (values: readonly string[], labelOf = (value: string) => value): Option[] =>
  [...new Set(values)].sort().map((value) => ({ value, label: labelOf(value) }));

/** The range and the filters shared by totals, chart, calls and export; their state is the URL. */
export function UsageFilters(props: UsageFiltersProps) {
  const { view, isCompared, isPreviousEmpty, metrics, names, onChange, onCompare } = props;
  // Narrow screens collapse the filters and dates, except dates in use; wide screens collapse nothing.
  const [isUnfolded, setIsUnfolded] = useState(false);
  const foldedId = useId();
  const chosen = countFilters(view);
  // A key belongs to one project, so choosing another project resets the key filter.
  const narrow = (field: keyof ViewFilters, value: string) =>
    onChange({ ...(field === 'projectId' ? { keyId: '' } : {}), [field]: value });
  /** The routes that can be called, and the other endpoints that were called. */
  const called = [
    ...Object.values(meteredPaths).map(({ path, method }) => ({ endpoint: path as string, method })),
    ...(metrics?.endpoints ?? []),
  ];
  const projects = names.projects.map(({ code, projectName }) => ({ value: code, label: projectName }));
  const keys = names.keys
    .filter(({ projectId }) => !view.projectId || projectId === view.projectId)
    .map(({ id, isActive }) => ({
      value: id,
      label: keyLabel(names, id),
      ...(isActive ? {} : { tagged: { text: keyText(names, id), tag: 'Revoked' } }),
    }));
  const statuses = metrics?.statuses.map(({ statusCode }) => ({
    value: String(statusCode),
    label: `${statusCode} ${statusText(statusCode)}`,
  }));
  const origins = [
    ...(metrics?.origins ?? []).flatMap(({ origin }) => origin ?? []).filter((origin) => origin !== 'local'),
    ...names.projects.flatMap(({ urls }) => urls),
  ];
  const filters: ShownFilter[] = [
    { field: 'projectId', name: 'Project', all: 'All projects', options: projects.sort(byLabel) },
    {
      field: 'keyId',
      name: 'Key',
      all: 'All keys',
      options: keys.sort(byLabel),
      labelOf: (id) => keyLabel(names, id),
    },
    {
      field: 'endpoint',
      name: 'Endpoint',
      all: 'All endpoints',
      options: asOptions([unknownEndpoint, ...called.map(({ endpoint }) => endpoint)], endpointLabel),
    },
    {
      field: 'method',
      name: 'Method',
      all: 'All methods',
      options: asOptions(called.map(({ method }) => method)),
    },
    {
      field: 'status',
      name: 'Status',
      all: 'All statuses',
      options: [...statusGroups, ...(statuses ?? [])],
      labelOf: (status) => (/^\d{3}$/.test(status) ? `${status} ${statusText(Number(status))}` : status),
    },
    {
      field: 'errorCode',
      name: 'Error code',
      all: 'All error codes',
      options: asOptions(Object.keys(errorAdvice)),
    },
    {
      field: 'origin',
      name: 'Origin',
      all: 'All origins',
      options: [
        { value: noOrigin, label: originLabel(null) },
        { value: 'local', label: originLabel('local') },
        ...asOptions(origins, originLabel),
      ],
      labelOf: originLabel,
      isOpenEnded: true,
    },
  ];

  return (
    <Flex
      vertical
      gap={8}
      className={styles.filters}
      role="group"
      aria-label="Range and filters"
      data-unfolded={isUnfolded}
      data-rolling={isRolling(view.range)}
    >
      <Flex wrap gap={8} align="center">
        <Segmented<UsageRange | 'fixed'>
          aria-label="Time range"
          options={rangeNames}
          value={isRolling(view.range) ? view.range : 'fixed'}
          onChange={(range) => range !== 'fixed' && onChange({ range })}
        />
        <Button
          className={styles.filtersFold}
          icon={<FilterOutlined aria-hidden />}
          aria-expanded={isUnfolded}
          aria-controls={foldedId}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          {chosen > 0 ? `Filters (${chosen})` : 'Filters'}
        </Button>
        <Suspense fallback={<Skeleton.Input className={styles.range} />}>
          <RangePicker
            range={isRolling(view.range) ? null : view.range}
            onChange={(range) => onChange({ range })}
          />
        </Suspense>
        <Flex wrap gap={8} align="center" className={styles.filtersEnd}>
          <Button
            type="text"
            className={styles.filtersClear}
            // Keeps its place while it is hidden, so that choosing the first filter moves nothing.
            style={{ visibility: chosen > 0 ? 'visible' : 'hidden' }}
            onClick={() => {
              // The button disappears together with the filters.
              document.getElementById(foldedId)?.querySelector('input')?.focus();
              onChange(noFilters);
            }}
          >
            Clear filters
          </Button>
          <div className={`note ${styles.filtersCompare}`}>
            <Flex component="label" gap={8} align="center">
              <Switch size="small" checked={isCompared} onChange={onCompare} />
              Compare to previous period
            </Flex>
            {isPreviousEmpty && <p>No calls in the previous period</p>}
          </div>
        </Flex>
      </Flex>
      <div className={styles.filtersRow} id={foldedId}>
        {filters.map(({ field, options, labelOf, ...named }) => (
          <Filter
            key={field}
            {...named}
            value={view[field]}
            options={optionsOf(options, view[field], labelOf)}
            onChange={(value) => narrow(field, value)}
          />
        ))}
      </div>
    </Flex>
  );
}

interface FilterProps {
  name: string;
  /** The label for no filter. */
  all: string;
  value: string | undefined;
  options: Option[];
  /** Whether any typed value can be chosen too. */
  isOpenEnded?: boolean;
  onChange: (value: string) => void;
}

/** With this many options or more, the list is searchable. */
const searchedFrom = 8;

function Filter({ name, all, value, options, isOpenEnded = false, onChange }: FilterProps) {
  const [typed, setTyped] = useState('');
  const offered = [{ value: '', label: all }, ...options];
  const text = typed.trim();
  if (isOpenEnded && text !== '' && !offered.some((option) => option.value === text))
    offered.push({ value: text, label: text });
  const canSearch = isOpenEnded || options.length >= searchedFrom;
  return (
    <Select
      aria-label={name}
      className={styles.filtersSelect}
      data-set={Boolean(value)}
      value={value ?? ''}
      options={offered}
      onChange={onChange}
      popupMatchSelectWidth={false}
      labelRender={({ label }) => <EndedText text={String(label)} />}
      optionRender={({ data: { label, tagged } }) =>
        tagged ? (
          <Flex gap={8}>
            {tagged.text}
            <Tag> {tagged.tag}</Tag>
          </Flex>
        ) : (
          label
        )
      }
      {...(canSearch
        ? {
            showSearch: {
              optionFilterProp: 'label',
              searchValue: typed,
              onSearch: setTyped,
              searchIcon: <SearchOutlined aria-hidden />,
            },
          }
        : {})}
    />
  );
}
