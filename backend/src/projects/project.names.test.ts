import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { AppsService } from '../identity/apps/apps.service.js';
import { askFor, tab } from '../testing/app.sign-in.js';
import { openLive } from '../testing/open.live.js';
import { type SignedUp, signUp } from '../testing/sign.up.js';
import { makeTenant, type TestTenant } from '../testing/tenant.page.js';
import { startAnother, type TestApp } from '../testing/test.app.js';
import { TestBrowser } from '../testing/test.browser.js';
import { startWithTwoUsers } from '../testing/two.users.js';
import { until } from '../testing/until.js';

const site = 'https://app.example.com';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const dayMs = 86_400_000;

describe('renaming a project', () => {
  let portal: TestApp;
  let owner: SignedUp;
  let other: SignedUp;
  let second: Awaited<ReturnType<typeof startAnother>>;
  beforeAll(async () => {
    ({ portal, owner, other } = await startWithTwoUsers());
    second = await startAnother(portal);
  }, 30_000);
  afterAll(async () => {
    await second.close();
    await portal.close();
  });

  let count = 0;
  const make = (name = `Name ${count++}`, user = owner): Promise<TestTenant> =>
    makeTenant(portal, [site], { name, owner: user });
  const rename = ({ code }: { code: string }, projectName: unknown, { token }: SignedUp = owner) =>
    portal.call('PATCH', `/api/projects/${code}`, {
      token,
      headers: { 'user-agent': firefox },
      body: { projectName },
    });
  const listed = async ({ code }: { code: string }, { token }: SignedUp = owner) =>
    (await portal.call('GET', '/devportal/v1/user/projects', { token })).body.find(
      (project: { code: string }) => project.code === code,
    );
  const changesOf = async ({ token }: SignedUp) =>
    (await portal.call('GET', '/api/v1/auth/changes', { token })).body;

  test('keeps id, key and URLs, and a call with the key sees the new name within a second', async () => {
    const project = await make('Acme');
    const before = await listed(project);
    const call = () => second.call('GET', '/api/v1/key', { headers: { 'x-api-key': before.apiKey } });
    expect((await call()).body).toMatchObject({ project: { name: 'Acme' }, name: 'Acme' });
    const answer = await rename(project, '  Acme   Ltd ');
    expect([answer.status, answer.body]).toEqual([200, { projectName: 'Acme Ltd' }]);
    const after = await listed(project);
    expect(after).toEqual({ ...before, projectName: 'Acme Ltd', lastUpdatedAt: expect.any(String) });
    expect(after.lastUpdatedAt > before.lastUpdatedAt).toBe(true);
    await until(
      'the call has the new name',
      async () => (await call()).body.project.name === 'Acme Ltd',
      1_500,
    );
    expect((await call()).body.name).toBe('Acme Ltd');
  });

  test('leaves the name of a key that the owner chose', async () => {
    const project = await make();
    const path = `/api/projects/${project.code}/keys`;
    const [{ id }] = (await portal.call('GET', path, { token: owner.token })).body;
    await portal.call('PATCH', `/api/keys/${id}`, { token: owner.token, body: { name: 'Checkout' } });
    await rename(project, 'Renamed');
    expect((await portal.call('GET', path, { token: owner.token })).body).toMatchObject([
      { name: 'Checkout' },
    ]);
  });

  test('notifies the owner’s open pages, on every instance, and nobody else’s', async () => {
    const project = await make();
    const [mine, theirs] = await Promise.all([
      openLive(second.url, { token: owner.token }),
      openLive(second.url, { token: other.token }),
    ]);
    try {
      await rename(project, 'Live name');
      const isRenaming = ({ projectId, kind }: (typeof mine.changes)[number]) =>
        projectId === project.code && kind === 'updated';
      await until('the change arrives', () => mine.changes.some(isRenaming), 1_500);
      expect(theirs.changes).toEqual([]);
    } finally {
      mine.close();
      theirs.close();
    }
  });

  test('shows in the recent changes, which a flood of renamings does not push out', async () => {
    const user = await signUp(portal);
    await portal.db.query(
      `insert into account_changes (id, user_id, kind, provider, label)
       values (gen_random_uuid(), $1, 'methodAdded', 'email', 'a@example.com')`,
      [user.userId],
    );
    const first = await make('One', user);
    await rename(first, 'Two', user);
    expect(await changesOf(user)).toMatchObject([
      { kind: 'projectRenamed', provider: null, label: 'One → Two', device: 'Firefox on Linux' },
      { kind: 'methodAdded' },
    ]);
    const more = await make('More', user);
    for (let n = 0; n < limits.renamingsKept; n++) await rename(more, `More ${n}`, user);
    const kinds = (await changesOf(user)).map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual([...Array(limits.renamingsKept).fill('projectRenamed'), 'methodAdded']);
  });

  test.each([
    ['blank', '  ', 'must not be blank'],
    ['too long', 'a'.repeat(101), 'must have at most 100 characters'],
    ['with an invisible character', 'Ac\u200bme', 'must not contain invisible or control characters'],
    ['with a null byte', 'Ac\0me', 'must not contain invisible or control characters'],
  ])('refuses a name that is %s, as at creation', async (_, name, message) => {
    const project = await make();
    const answer = await rename(project, name);
    expect([answer.status, answer.body.code]).toEqual([400, 'project.nameInvalid']);
    expect(answer.body.details).toEqual([{ path: 'projectName', message }]);
    expect((await listed(project)).projectName).toBe(project.name);
  });

  test.each([[undefined], [null], [7], [['x']]])('refuses %j as a name', async (name) => {
    expect((await rename(await make(), name)).body.code).toBe('request.invalid');
  });

  test('refuses the name of another project of the owner, in any spelling, but not another owner’s', async () => {
    await make('Taken name');
    await make('Free name', other);
    const project = await make();
    for (const name of ['Taken name', 'TAKEN  NAME', 'Ｔaken name']) {
      const answer = await rename(project, name);
      expect([answer.status, answer.body.code]).toEqual([400, 'project.nameTaken']);
    }
    expect((await rename(project, 'Free name')).status).toBe(200);
  });

  test('changes the spelling of its own name', async () => {
    const project = await make('own spelling');
    expect((await rename(project, 'Own Spelling')).body).toEqual({ projectName: 'Own Spelling' });
    expect((await listed(project)).projectName).toBe('Own Spelling');
  });

  test('gives a name to one of two projects that want it at once', async () => {
    const projects = [await make(), await make()];
    const answers = await Promise.all(projects.map((project) => rename(project, 'Wanted')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('returns 404 for another user’s project, and for what is no project', async () => {
    const project = await make();
    for (const code of [project.code, 'orange-0000000000', 'x', '%00']) {
      const answer = await rename({ code }, 'Mine now', other);
      expect([answer.status, answer.body.code]).toEqual([404, 'project.notFound']);
    }
    expect((await listed(project)).projectName).toBe(project.name);
  });

  test('refuses an eleventh name within 30 days, so that none gets lost among many', async () => {
    const project = await make();
    for (let n = 0; n < limits.renamingsPerProject; n++)
      expect((await rename(project, `Often ${n}`)).status).toBe(200);
    // The same name again is no change.
    expect((await rename(project, 'Often 9')).status).toBe(200);
    const refused = await rename(project, 'Too often');
    expect([refused.status, refused.body.code]).toEqual([409, 'project.renamedOften']);
    await portal.db.query(`update project_names set ended_at = ended_at - interval '30 days'`);
    expect((await rename(project, 'Later')).status).toBe(200);
  });

  describe('seen by people who use its app', () => {
    const connect = async (project: TestTenant) => {
      const person = await signUp(portal);
      const browser = new TestBrowser(portal.url);
      const { page } = await askFor(browser, { tenantId: project.code, callback: `${site}/`, tab }, person);
      await browser.submit(page, 'Continue');
      return person;
    };
    const consentPage = async (project: TestTenant, person?: SignedUp): Promise<string> => {
      const flow = { tenantId: project.code, callback: `${site}/`, tab, prompt: 'consent' };
      return (await askFor(new TestBrowser(portal.url), flow, person)).page.text;
    };
    const namesOf = async ({ userId }: SignedUp, days = 0) => {
      const [app] = await portal.app.get(AppsService).list(userId, new Date(Date.now() + days * dayMs));
      return [app?.name, app?.previousName];
    };

    test('shows both names for 30 days', async () => {
      const project = await make('Apex');
      const person = await connect(project);
      expect(await namesOf(person)).toEqual(['Apex', null]);
      await rename(project, 'Summit');
      expect(await namesOf(person, 29.9)).toEqual(['Summit', 'Apex']);
      expect(await namesOf(person, 30.1)).toEqual(['Summit', null]);
      const { body } = await portal.call('GET', '/api/v1/auth/apps', { token: person.token });
      expect(body[0]).toMatchObject({ name: 'Summit', previousName: 'Apex', origins: [site] });
    });

    test('names both, and the origin, on the consent page of a project that now looks like another', async () => {
      await make('Trusted bank', other);
      const project = await make('Cheap games');
      expect(await consentPage(project)).not.toContain('Renamed from');
      await rename(project, 'Trusted bank');
      for (const page of [await consentPage(project), await consentPage(project, await connect(project))]) {
        for (const text of ['Trusted bank', 'Renamed from', 'Cheap games', site])
          expect(page).toContain(text);
      }
      await portal.db.query(`update project_names set ended_at = ended_at - interval '30 days'`);
      const later = await consentPage(project);
      expect(later).not.toContain('Renamed from');
      expect(later).toContain(site);
    });

    test('shows a person the name they chose the app by, whatever it was called since', async () => {
      const project = await make('Known as this');
      const person = await connect(project);
      for (const name of ['Decoy', 'Known as this', 'Decoy', 'Trusted shop']) await rename(project, name);
      expect(await namesOf(person)).toEqual(['Trusted shop', 'Known as this']);
      expect(await consentPage(project, person)).toContain('Known as this');
      // Somebody new sees the latest one.
      expect(await namesOf(await connect(project))).toEqual(['Trusted shop', 'Decoy']);
    });

    test('shows no former name that the project has again, but the one in between', async () => {
      const project = await make('There');
      const person = await connect(project);
      await rename(project, 'Back');
      await rename(project, 'There');
      expect(await namesOf(person)).toEqual(['There', 'Back']);
    });
  });
});
