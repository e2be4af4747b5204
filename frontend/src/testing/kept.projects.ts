import type {
  AddWhitelistUrls,
  CreatedProject,
  CreateProject,
  GenerateKey,
  Project,
  RemovedWhitelistUrl,
  RemoveWhitelistUrl,
  RenamedProject,
  RenameProject,
  WhitelistAnswer,
} from '@orange-id/contract/projects.schema';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { http, HttpResponse } from 'msw';
import { answerLive } from './live.connection';
import { json, network, refusal } from './network';

export const projectCalls = {
  list: '/devportal/v1/user/projects',
  create: '/devportal/v1/project',
  rotate: '/devportal/v1/project/generateKey',
  add: '/devportal/v1/project/whitelist-urls',
  remove: '/devportal/v1/project/whitelist',
  rename: '/api/projects/:code',
  delete: '/api/projects/:code',
  metrics: '/api/analytics/metrics',
};

/** Metrics with calls only in the breakdown by origin. */
const metricsOf = (origins: UsageMetrics['origins']): UsageMetrics => ({
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-02T00:00:00.000Z',
  bucketSeconds: 900,
  totals: { calls: 0, errors: 0, blocked: 0, p50: null, p95: null, p99: null },
  percentiles: 'exact',
  series: [],
  endpoints: [],
  statuses: [],
  keys: [],
  origins,
  today: { calls: 0, quota: null },
});

/**
 * Mocks the project endpoints with stored projects, the first argument being the oldest. Requests of the page change
 * them; `elsewhere` changes them as another browser would, which the live connection announces.
 */
export function keepProjects(...first: { name: string; urls?: string[] }[]) {
  const kept: Project[] = [];
  /** The changes requested, by endpoint. */
  const asked: Record<'create' | 'rename' | 'rotate' | 'add' | 'remove' | 'delete', unknown[]> = {
    create: [],
    rename: [],
    rotate: [],
    add: [],
    remove: [],
    delete: [],
  };
  const blocked: { origin: string; calls: number }[] = [];
  let count = 0;
  const newKey = () => {
    count += 1;
    return `oid_${String(count).padStart(33, 'k')}`;
  };
  const make = (projectName: string, urls: string[]): Project => {
    const made: Project = {
      id: `id-${kept.length}`,
      code: `orange-${String(kept.length).padStart(10, '0')}`,
      projectName,
      apiKey: newKey(),
      urls,
      createdAt: '2026-01-01T00:00:00.000Z',
      lastUpdatedAt: '2026-01-01T00:00:00.000Z',
    };
    kept.push(made);
    return made;
  };
  for (const { name, urls = ['https://app.example.org'] } of first) make(name, urls);
  const found = (name: string) => kept.find(({ projectName }) => projectName === name);
  const drop = (project: Project) => void kept.splice(kept.indexOf(project), 1);
  const gone = () => refusal(404, 'Project not found', 'project.notFound');

  network.use(
    http.get(projectCalls.list, () => json(kept)),
    http.post<never, CreateProject>(projectCalls.create, async ({ request }) => {
      const body = await request.json();
      asked.create.push(body);
      const { code, apiKey } = make(body.projectName, body.whitelistURL);
      return json({ projectId: code, apiKey } satisfies CreatedProject, 201);
    }),
    http.post<never, GenerateKey>(projectCalls.rotate, async ({ request }) => {
      const body = await request.json();
      asked.rotate.push(body);
      const project = found(body.projectName);
      if (!project) return gone();
      project.apiKey = newKey();
      return HttpResponse.text(project.apiKey);
    }),
    http.post<never, AddWhitelistUrls>(projectCalls.add, async ({ request }) => {
      const body = await request.json();
      asked.add.push(body);
      const project = found(body.projectName);
      if (!project) return gone();
      project.urls = [...project.urls, ...body.urls];
      return json({ success: true, urls: project.urls } satisfies WhitelistAnswer);
    }),
    http.delete<never, RemoveWhitelistUrl>(projectCalls.remove, async ({ request }) => {
      const body = await request.json();
      asked.remove.push(body);
      const project = found(body.projectName);
      if (!project) return gone();
      project.urls = project.urls.filter((url) => url !== body.url);
      return json({ success: true, deleted: 1 } satisfies RemovedWhitelistUrl);
    }),
    http.patch<{ code: string }, RenameProject>(projectCalls.rename, async ({ params, request }) => {
      const { projectName } = await request.json();
      asked.rename.push({ code: params.code, projectName });
      const project = kept.find(({ code }) => code === params.code);
      if (!project) return gone();
      if (found(projectName)) return refusal(400, 'A project with this name exists', 'project.nameTaken');
      project.projectName = projectName;
      return json({ projectName } satisfies RenamedProject);
    }),
    http.delete<{ code: string }>(projectCalls.delete, ({ params }) => {
      asked.delete.push(params.code);
      const project = kept.find(({ code }) => code === params.code);
      if (!project) return gone();
      drop(project);
      return new HttpResponse(null, { status: 204 });
    }),
    http.get(projectCalls.metrics, ({ request }) =>
      json(metricsOf(new URL(request.url).searchParams.get('status') === 'blocked' ? blocked : [])),
    ),
  );

  const { say, mute } = answerLive();
  const change = (
    name: string,
    kind: 'updated' | 'keyRotated' | 'deleted',
    apply: (project: Project) => void,
  ) => {
    const project = found(name);
    if (!project) throw new Error(`there is no project ${name}`);
    apply(project);
    say('project.changed', { projectId: project.code, kind });
  };
  const elsewhere = {
    add: (name: string, url: string) =>
      change(name, 'updated', (project) => void (project.urls = [...project.urls, url])),
    remove: (name: string, url: string) =>
      change(name, 'updated', (project) => void (project.urls = project.urls.filter((at) => at !== url))),
    rotate: (name: string) => change(name, 'keyRotated', (project) => void (project.apiKey = newKey())),
    rename: (name: string, projectName: string) =>
      change(name, 'updated', (project) => void (project.projectName = projectName)),
    delete: (name: string) => change(name, 'deleted', drop),
  };
  return { kept, asked, blocked, found, elsewhere, say, mute };
}
