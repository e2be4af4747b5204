import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import type { Project } from '@orange-id/contract/projects.schema';
import { errorOutcomes, usageMatcher } from '@orange-id/contract/usage.filter.rule';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import { bucketSecondsFor } from '@orange-id/contract/usage.range';
import { usageRowOf } from '@orange-id/contract/usage.row.fixture';
import type { UsageKey, UsageMetrics, UsageRow } from '@orange-id/contract/usage.schema';
import { http } from 'msw';
import { answerLive } from './live.connection';
import { json, network, refusal } from './network';

export const usageCalls = {
  metrics: '/api/analytics/metrics',
  rows: '/api/usage',
  export: '/api/usage/exports',
};

/** A site that may call with the keys of these tests, and one that may not. */
export const ownSite = 'https://app.example.org';
export const stranger = 'https://stranger.example.org';

const projectOf = (projectName: string, place: number): Project => ({
  id: `id-${place}`,
  code: `orange-000000000${place}`,
  projectName,
  urls: [ownSite],
  apiKey: `oid_${String(place).repeat(33)}`,
  createdAt: `2026-01-0${place}T00:00:00.000Z`,
  lastUpdatedAt: `2026-01-0${place}T00:00:00.000Z`,
});
const keyOf = ({ code, projectName, apiKey }: Project, place: number): UsageKey => ({
  id: `0193d6a0-0000-7000-8000-00000000000${place + 1}`,
  name: projectName,
  ...apiKeyEnds(apiKey),
  projectId: code,
  isActive: true,
});

/** The fields that differ from a plain call; `projectName` is the project whose key made the call. */
export type MadeCall = Partial<UsageRow> & { projectName?: string };

/** A call from a site that the origin rule blocks. */
export const blockedCall: MadeCall = {
  statusCode: 403,
  outcome: 'blocked',
  errorCode: 'key.originRefused',
  origin: stranger,
};

/** The number of calls in these rows, since a row of refused calls can stand for several. */
const callsOf = (rows: readonly UsageRow[]) => rows.reduce((sum, { calls }) => sum + (calls ?? 1), 0);

/** Counts the calls of rows by the value that `of` returns, most frequent first. */
function countBy<Name extends string, Value>(
  rows: readonly UsageRow[],
  name: Name,
  of: (row: UsageRow) => Value,
) {
  const counts = new Map<Value, number>();
  for (const row of rows) counts.set(of(row), (counts.get(of(row)) ?? 0) + callsOf([row]));
  return [...counts]
    .map(([value, calls]) => ({ [name]: value, calls }) as Record<Name, Value> & { calls: number })
    .sort((a, b) => b.calls - a.calls);
}

const isError = ({ outcome }: UsageRow) => errorOutcomes.includes(outcome);
const sums = (rows: readonly UsageRow[]) => ({
  calls: callsOf(rows),
  errors: callsOf(rows.filter(isError)),
  blocked: callsOf(rows.filter(({ outcome }) => outcome === 'blocked')),
});

/** The figures of the matching rows, as the server counts them. */
function metricsOf(all: readonly UsageRow[], filters: UsageFilters): UsageMetrics {
  const to = filters.to === undefined ? Date.now() + 1 : Date.parse(filters.to);
  const from = filters.from === undefined ? to - 86_400_000 : Date.parse(filters.from);
  const rows = all.filter(usageMatcher(filters));
  const step = bucketSecondsFor(to - from) * 1000;
  const first = Math.floor(from / step) * step;
  const series = Array.from({ length: Math.ceil((to - first) / step) }, (_, place) => {
    const at = first + place * step;
    const within = rows.filter(({ timestamp }) => Math.floor(Date.parse(timestamp) / step) * step === at);
    const serverErrors = callsOf(within.filter((row) => isError(row) && row.statusCode >= 500));
    return { at: new Date(at).toISOString(), serverErrors, ...sums(within) };
  });
  const times = rows
    .flatMap(({ calls, responseTime }) => Array<number>(calls ?? 1).fill(responseTime))
    .sort((a, b) => a - b);
  const percentile = (part: number) => times[Math.ceil(part * times.length) - 1] ?? null;
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    bucketSeconds: step / 1000,
    totals: { ...sums(rows), p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) },
    percentiles: to - from > 2 * 86_400_000 ? 'histogram' : 'exact',
    series,
    endpoints: countBy(rows, 'endpoint', ({ endpoint, method }) => `${method} ${endpoint}`).map(
      ({ endpoint, calls }) => {
        const [method = '', path = ''] = endpoint.split(' ');
        return { endpoint: path, method, calls };
      },
    ),
    statuses: countBy(rows, 'statusCode', ({ statusCode }) => statusCode),
    keys: countBy(rows, 'keyId', ({ keyId }) => keyId),
    origins: countBy(rows, 'origin', ({ origin }) => origin),
    today: {
      calls: callsOf(all.filter(({ outcome }) => outcome === 'ok' || outcome === 'error')),
      quota: 1_000_000,
    },
  };
}

/**
 * The calls of an account with these projects, as a mock server. Requests are filtered by the server's own rule, and
 * `make` records calls that the live connection delivers.
 */
export function keepCalls(projectNames: string[], first: MadeCall[] = []) {
  const projects = projectNames.map((name, place) => projectOf(name, place + 1));
  const keys = projects.map(keyOf);
  const rows: UsageRow[] = [];
  const record = ({ projectName = projectNames[0], ...more }: MadeCall): UsageRow => {
    const place = projects.findIndex((project) => project.projectName === projectName);
    const row = usageRowOf(rows.length + 1, {
      keyId: keys[place]?.id ?? '',
      projectId: projects[place]?.code ?? null,
      timestamp: new Date().toISOString(),
      ...more,
    });
    rows.push(row);
    return row;
  };
  first.forEach(record);

  /** The filters of a request, or the server's response if it refuses them. */
  const read = (url: string) => {
    const { after, before, limit, ...filters } = Object.fromEntries(
      new URL(url).searchParams,
    ) as UsageFilters & Record<'after' | 'before' | 'limit', string | undefined>;
    const { projectId, keyId } = filters;
    if (projectId && !projects.some(({ code }) => code === projectId))
      return { refused: refusal(404, 'Project not found', 'project.notFound') };
    if (keyId && !keys.some(({ id }) => id === keyId))
      return { refused: refusal(404, 'API key not found', 'keys.notFound') };
    return { filters, after, before, limit: Number(limit ?? 100) };
  };
  network.use(
    http.get('/devportal/v1/user/projects', () => json(projects)),
    http.get('/api/usage/keys', () => json(keys)),
    http.get(usageCalls.metrics, ({ request }) => {
      const { filters, refused } = read(request.url);
      return refused ?? json(metricsOf(rows, filters));
    }),
    http.get(usageCalls.rows, ({ request }) => {
      const { filters, after, before, limit = 0, refused } = read(request.url);
      if (refused) return refused;
      const matching = rows
        .filter(usageMatcher(filters))
        .filter(({ seq }) => seq > Number(after ?? 0) && seq < Number(before ?? Infinity));
      if (after === undefined) matching.reverse();
      const page = matching.slice(0, limit);
      return json({ rows: page, next: matching.length > limit ? (page.at(-1)?.seq ?? null) : null });
    }),
  );
  const { say } = answerLive();
  return {
    projects,
    keys,
    /** Makes calls, which arrive live. */
    make: (...calls: MadeCall[]) => {
      const made = calls.map(record);
      say('usage.rows', { rows: made, seq: rows.length });
    },
  };
}
