import { describe, expect, jest, test } from '@jest/globals';
import type { ProfileUpdate } from '@orange-id/contract/profile.schema';
import type { CreatedProject } from '@orange-id/contract/projects.schema';
import { createActor, fromPromise, waitFor } from 'xstate';
import { emptyDraft, type WizardDraft } from './wizard.draft';
import { wizardMachine } from './wizard.machine';
import { canCreate, draftOf, shownProjectId, wizardProgress } from './wizard.selectors';
import type { NewProject, ReadyProject, WizardNotice } from './wizard.types';

const complete = { email: 'ada@example.com', displayName: 'Ada' };
const answer: CreatedProject = { projectId: 'orange-k3x9p2m7qa', apiKey: 'oid_secret' };

function start({
  draft = {},
  create = async (_: NewProject): Promise<CreatedProject> => answer,
  save = async (_: ProfileUpdate): Promise<void> => undefined,
  read = async (_: string): Promise<ReadyProject | null> => null,
  recalledId = null,
}: {
  draft?: Partial<WizardDraft>;
  create?: (project: NewProject) => Promise<CreatedProject>;
  save?: (changes: ProfileUpdate) => Promise<void>;
  read?: (projectId: string) => Promise<ReadyProject | null>;
  recalledId?: string | null;
} = {}) {
  const calls = jest.fn(create);
  const saves = jest.fn(save);
  const reads = jest.fn(read);
  const machine = wizardMachine.provide({
    actors: {
      createProject: fromPromise<CreatedProject, NewProject>(({ input }) => calls(input)),
      saveProfile: fromPromise<void, ProfileUpdate>(({ input }) => saves(input)),
      readProject: fromPromise<ReadyProject | null, string>(({ input }) => reads(input)),
    },
  });
  const actor = createActor(machine, { input: { draft: { ...emptyDraft, ...draft }, recalledId } });
  /** All notices in order, except those that only dismiss toasts. */
  const notices: WizardNotice[] = [];
  actor.on('*', (notice) => notice.type !== 'step.left' && notices.push(notice));
  actor.start();
  return { actor, calls, saves, reads, notices, state: () => actor.getSnapshot().value };
}

function startAtUrls(options: Parameters<typeof start>[0] = {}) {
  const wizard = start(options);
  wizard.actor.send({ type: 'name.change', text: 'Acme' });
  wizard.actor.send({ type: 'name.submit', profile: complete });
  expect(wizard.state()).toBe('addingUrls');
  return wizard;
}

test('the name of another project of the user is rejected in the first step, whatever its case and spaces', () => {
  const wizard = start();
  wizard.actor.send({ type: 'name.change', text: ' ACME  Games ' });
  wizard.actor.send({ type: 'name.submit', profile: complete, taken: ['Other', 'Acme Games'] });
  expect(wizard.state()).toBe('naming');
  expect(wizard.actor.getSnapshot().context.nameRefusal).toBe('taken');
  expect(wizard.notices).toEqual([{ type: 'name.refused', code: 'taken' }]);
  wizard.actor.send({ type: 'name.change', text: 'Acme Games 2' });
  wizard.actor.send({ type: 'name.submit', profile: complete, taken: ['Other', 'Acme Games'] });
  expect(wizard.state()).toBe('addingUrls');
});

function addUrl(wizard: ReturnType<typeof start>, text: string) {
  wizard.actor.send({ type: 'url.change', text });
  wizard.actor.send({ type: 'url.add' });
}

async function startAtSummary(options: Parameters<typeof start>[0] = {}) {
  const wizard = startAtUrls(options);
  addUrl(wizard, 'https://acme.example');
  wizard.actor.send({ type: 'project.create', profile: complete });
  await waitFor(wizard.actor, (snapshot) => snapshot.matches('summarised'));
  return wizard;
}

describe('naming', () => {
  test('the wizard opens at the name, 0 %, with an empty draft', () => {
    const { actor, state } = start();
    expect(state()).toBe('naming');
    expect(wizardProgress(actor.getSnapshot())).toBe(0);
  });

  test.each([
    ['', 'required'],
    [' \t ', 'required'],
    ['a'.repeat(101), 'tooLong'],
    ['Ac\u202eme', 'invisible'],
  ])('the name %j is rejected as %s, and the wizard stays at the name', (text, code) => {
    const { actor, notices, state } = start();
    actor.send({ type: 'name.change', text });
    actor.send({ type: 'name.submit', profile: complete });
    expect(state()).toBe('naming');
    expect(notices).toEqual([{ type: 'name.refused', code }]);
    expect(actor.getSnapshot().context.nameRefusal).toBe(code);
    actor.send({ type: 'name.change', text: 'Acme' });
    expect(actor.getSnapshot().context.nameRefusal).toBeNull();
  });

  test.each([
    [{ email: null, displayName: null }, ['email', 'displayName']],
    [{ email: 'ada@example.com', displayName: '  ' }, ['displayName']],
    [{ email: '', displayName: 'Ada' }, ['email']],
  ])(
    'with the profile %j and no input for its missing fields, the wizard stays at the name and lists them',
    (profile, gaps) => {
      const { actor, notices, saves, state } = start();
      actor.send({ type: 'name.change', text: 'Acme' });
      actor.send({ type: 'name.submit', profile });
      expect(state()).toBe('naming');
      expect(notices).toEqual([{ type: 'profile.refused', gaps }]);
      const { profileRefusals, projectName } = actor.getSnapshot().context;
      expect(profileRefusals).toEqual(Object.fromEntries(gaps.map((part) => [part, 'required'])));
      expect(projectName).toBe('Acme');
      expect(saves).not.toHaveBeenCalled();
    },
  );

  test('the missing profile fields are entered in the first step and saved once, before the URLs', async () => {
    let finish!: () => void;
    const wizard = start({ save: () => new Promise<void>((resolve) => (finish = resolve)) });
    const profile = { email: null, displayName: null };
    wizard.actor.send({ type: 'name.change', text: 'Acme' });
    wizard.actor.send({ type: 'profile.change', part: 'displayName', text: ' Ada ' });
    wizard.actor.send({ type: 'profile.change', part: 'email', text: 'ada@example.com' });
    wizard.actor.send({ type: 'name.submit', profile });
    wizard.actor.send({ type: 'name.submit', profile });
    expect(wizard.state()).toBe('savingProfile');
    expect(wizardProgress(wizard.actor.getSnapshot())).toBe(0);
    expect(draftOf(wizard.actor.getSnapshot())).toMatchObject({
      step: 'naming',
      profileTexts: { displayName: ' Ada ', email: 'ada@example.com' },
    });
    finish();
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('addingUrls'));
    expect(wizard.saves.mock.calls).toEqual([[{ email: 'ada@example.com', displayName: 'Ada' }]]);
    expect(wizard.notices).toEqual([]);
  });

  test('the wizard saves only the missing profile fields', async () => {
    const wizard = start({
      draft: { projectName: 'Acme', profileTexts: { email: 'x', displayName: 'Ada' } },
    });
    wizard.actor.send({ type: 'name.submit', profile: { email: 'ada@example.com', displayName: null } });
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('addingUrls'));
    expect(wizard.saves.mock.calls).toEqual([[{ displayName: 'Ada' }]]);
  });

  test('an invalid profile text is marked at its field, and typing clears the error', () => {
    const { actor, notices, saves, state } = start({
      draft: { projectName: 'Acme', profileTexts: { email: 'ada', displayName: 'a'.repeat(101) } },
    });
    actor.send({ type: 'name.submit', profile: { email: null, displayName: null } });
    expect(state()).toBe('naming');
    expect(Object.keys(actor.getSnapshot().context.profileRefusals)).toEqual(['email', 'displayName']);
    expect(notices).toEqual([]);
    expect(saves).not.toHaveBeenCalled();
    actor.send({ type: 'profile.change', part: 'email', text: 'ada@example.com' });
    expect(actor.getSnapshot().context.profileRefusals.email).toBeUndefined();
    expect(actor.getSnapshot().context.profileRefusals.displayName).toBeDefined();
  });

  test('a failed profile update keeps all input, and a second attempt can succeed', async () => {
    const failure = new TypeError('Failed to fetch');
    const save = jest.fn<() => Promise<void>>().mockRejectedValueOnce(failure).mockResolvedValue();
    const wizard = start({ save });
    const profile = { email: 'ada@example.com', displayName: null };
    wizard.actor.send({ type: 'name.change', text: 'Acme' });
    wizard.actor.send({ type: 'profile.change', part: 'displayName', text: 'Ada' });
    wizard.actor.send({ type: 'name.submit', profile });
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('naming'));
    expect(wizard.notices).toEqual([{ type: 'profile.failed', error: failure }]);
    expect(wizard.actor.getSnapshot().context).toMatchObject({
      projectName: 'Acme',
      profileTexts: { displayName: 'Ada' },
      profileFailure: failure,
    });
    wizard.actor.send({ type: 'name.submit', profile });
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('addingUrls'));
    expect(wizard.actor.getSnapshot().context.profileFailure).toBeNull();
  });

  test('a blank name is the only notice, and the missing profile fields are marked as well', () => {
    const { actor, notices } = start();
    actor.send({ type: 'name.submit', profile: {} });
    expect(notices).toEqual([{ type: 'name.refused', code: 'required' }]);
    expect(actor.getSnapshot().context.profileRefusals).toEqual({
      email: 'required',
      displayName: 'required',
    });
  });

  test('a taken name is the only notice, and the missing profile fields are marked as well', () => {
    const { actor, notices } = start({ draft: { projectName: 'Acme' } });
    actor.send({ type: 'name.submit', profile: { email: 'ada@example.com' }, taken: ['Acme'] });
    expect(notices).toEqual([{ type: 'name.refused', code: 'taken' }]);
    expect(actor.getSnapshot().context.profileRefusals).toEqual({ displayName: 'required' });
  });
});

describe('addingUrls', () => {
  test('the URL step is at 50 % and stores URLs in normalised form', () => {
    const wizard = startAtUrls();
    expect(wizardProgress(wizard.actor.getSnapshot())).toBe(50);
    addUrl(wizard, ' https://Acme.example:8443/path?x=1 ');
    expect(wizard.notices).toEqual([{ type: 'url.added', url: 'https://acme.example' }]);
    expect(wizard.actor.getSnapshot().context).toMatchObject({
      urls: ['https://acme.example'],
      urlText: '',
    });
  });

  test.each([
    ['', 'required'],
    ['acme.example', 'unparseable'],
    ['ftp://acme.example', 'protocol'],
    ['https://ab', 'tooShort'],
    ['http://localhost:3000', 'local'],
    ['https://a.*.acme.example', 'wildcardPlace'],
  ])('the URL %j is rejected as %s and stays in the field', (text, code) => {
    const wizard = startAtUrls();
    addUrl(wizard, text);
    expect(wizard.notices).toEqual([{ type: 'url.refused', code, text }]);
    expect(wizard.actor.getSnapshot().context).toMatchObject({ urls: [], urlText: text, urlRefusal: code });
    wizard.actor.send({ type: 'url.change', text: 'https://acme.example' });
    expect(wizard.actor.getSnapshot().context.urlRefusal).toBeNull();
  });

  test('the same host twice is a duplicate, and can be added again once removed', () => {
    const wizard = startAtUrls();
    addUrl(wizard, 'https://acme.example');
    addUrl(wizard, 'https://acme.example/other');
    expect(wizard.notices.at(-1)).toMatchObject({ type: 'url.refused', code: 'duplicate' });
    wizard.actor.send({ type: 'url.remove', url: 'https://acme.example' });
    expect(wizard.actor.getSnapshot().context).toMatchObject({
      urls: [],
      urlText: 'https://acme.example/other',
      urlRefusal: null,
    });
    addUrl(wizard, 'https://acme.example');
    expect(wizard.notices.at(-1)).toEqual({ type: 'url.added', url: 'https://acme.example' });
  });

  test('the 101st URL is rejected', () => {
    const urls = Array.from({ length: 100 }, (_, index) => `https://site${index}.example`);
    const wizard = start({ draft: { step: 'addingUrls', projectName: 'Acme', urls } });
    addUrl(wizard, 'https://one-more.example');
    expect(wizard.notices).toMatchObject([{ type: 'url.refused', code: 'tooMany' }]);
    expect(wizard.actor.getSnapshot().context.urls).toHaveLength(100);
  });

  test('Back returns to the name and keeps all input', () => {
    const wizard = startAtUrls();
    addUrl(wizard, 'https://acme.example');
    wizard.actor.send({ type: 'url.change', text: 'https://half' });
    wizard.actor.send({ type: 'step.back' });
    expect(wizard.state()).toBe('naming');
    wizard.actor.send({ type: 'name.submit', profile: complete });
    expect(wizard.actor.getSnapshot().context).toMatchObject({
      projectName: 'Acme',
      urls: ['https://acme.example'],
      urlText: 'https://half',
    });
  });

  test('a project without a URL is not created', () => {
    const wizard = startAtUrls();
    expect(canCreate(wizard.actor.getSnapshot())).toBe(false);
    wizard.actor.send({ type: 'project.create', profile: complete });
    expect(wizard.notices).toEqual([{ type: 'urls.missing' }]);
    expect(wizard.state()).toBe('addingUrls');
    addUrl(wizard, 'https://acme.example');
    expect(canCreate(wizard.actor.getSnapshot())).toBe(true);
  });

  test('a profile emptied after step 1 blocks the creation and returns to step 1', () => {
    const wizard = startAtUrls();
    addUrl(wizard, 'https://acme.example');
    wizard.actor.send({ type: 'project.create', profile: { email: 'ada@example.com', displayName: null } });
    expect(wizard.notices.at(-1)).toEqual({ type: 'profile.refused', gaps: ['displayName'] });
    expect(wizard.state()).toBe('naming');
    expect(wizard.actor.getSnapshot().context.urls).toEqual(['https://acme.example']);
    expect(wizard.calls).not.toHaveBeenCalled();
  });

  test('an invalid URL left in the field blocks the creation and shows its error', () => {
    const wizard = startAtUrls();
    addUrl(wizard, 'https://acme.example');
    wizard.actor.send({ type: 'url.change', text: 'ftp://files.example' });
    wizard.actor.send({ type: 'project.create', profile: complete });
    expect(wizard.notices.at(-1)).toMatchObject({ type: 'url.refused', code: 'protocol' });
    expect(wizard.calls).not.toHaveBeenCalled();
  });

  test('a URL left in the field that is already in the list doesn’t block the creation', async () => {
    const wizard = startAtUrls();
    addUrl(wizard, 'https://acme.example');
    addUrl(wizard, 'https://acme.example/again');
    expect(wizard.notices.at(-1)).toMatchObject({ type: 'url.refused', code: 'duplicate' });
    wizard.actor.send({ type: 'project.create', profile: complete });
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('summarised'));
    expect(wizard.calls.mock.calls).toEqual([[{ projectName: 'Acme', urls: ['https://acme.example'] }]]);
    expect(wizard.actor.getSnapshot().context).toMatchObject({ urlText: '', urlRefusal: null });
    expect(draftOf(wizard.actor.getSnapshot())).toBeNull();
  });

  test('a valid URL left in the field is added to the others on creation', async () => {
    const wizard = startAtUrls();
    addUrl(wizard, 'https://acme.example');
    wizard.actor.send({ type: 'url.change', text: 'https://shop.acme.example' });
    wizard.actor.send({ type: 'project.create', profile: complete });
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('summarised'));
    expect(wizard.calls).toHaveBeenCalledWith({
      projectName: 'Acme',
      urls: ['https://acme.example', 'https://shop.acme.example'],
    });
  });

  test('the summary can’t be opened before a project is created', () => {
    const wizard = startAtUrls();
    expect(wizard.actor.getSnapshot().can({ type: 'summary.open' })).toBe(false);
  });
});

describe('creating', () => {
  test('a project is created once, with its name normalised, however often the button is clicked', async () => {
    let finish!: (created: CreatedProject) => void;
    const wizard = start({ create: () => new Promise((resolve) => (finish = resolve)) });
    wizard.actor.send({ type: 'name.change', text: '  Acme   Games ' });
    wizard.actor.send({ type: 'name.submit', profile: complete });
    addUrl(wizard, 'https://acme.example');
    wizard.actor.send({ type: 'project.create', profile: complete });
    wizard.actor.send({ type: 'project.create', profile: complete });
    expect(wizard.state()).toBe('creating');
    expect(wizardProgress(wizard.actor.getSnapshot())).toBe(50);
    expect(canCreate(wizard.actor.getSnapshot())).toBe(false);
    finish(answer);
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('summarised'));
    expect(wizard.calls.mock.calls).toEqual([
      [{ projectName: 'Acme Games', urls: ['https://acme.example'] }],
    ]);
  });

  test('a failed creation returns to the URLs with the whole draft, and a second attempt can succeed', async () => {
    const failure = new Error('400: taken');
    const create = jest.fn<() => Promise<CreatedProject>>().mockRejectedValueOnce(failure);
    const wizard = startAtUrls({ create: create.mockResolvedValue(answer) });
    addUrl(wizard, 'https://acme.example');
    wizard.actor.send({ type: 'project.create', profile: complete });
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('addingUrls'));
    expect(wizard.notices.at(-1)).toEqual({ type: 'creation.failed', error: failure });
    expect(wizard.actor.getSnapshot().context).toMatchObject({
      projectName: 'Acme',
      urls: ['https://acme.example'],
      failure,
      created: null,
    });
    wizard.actor.send({ type: 'project.create', profile: complete });
    expect(wizard.actor.getSnapshot().context.failure).toBeNull();
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('summarised'));
    expect(wizard.actor.getSnapshot().context.failure).toBeNull();
  });

  test('the error of a creation is kept on Back and cleared by changing the name', async () => {
    const failure = new Error('400: taken');
    const wizard = startAtUrls({ create: () => Promise.reject(failure) });
    addUrl(wizard, 'https://acme.example');
    wizard.actor.send({ type: 'project.create', profile: complete });
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('addingUrls'));
    addUrl(wizard, 'https://www.acme.example');
    wizard.actor.send({ type: 'step.back' });
    expect(wizard.actor.getSnapshot().context.failure).toBe(failure);
    wizard.actor.send({ type: 'name.change', text: 'Acme 2' });
    expect(wizard.actor.getSnapshot().context.failure).toBeNull();
  });

  test('a creation without a provided actor reports the missing actor', async () => {
    const actor = createActor(wizardMachine, {
      input: {
        draft: { ...emptyDraft, step: 'addingUrls', projectName: 'Acme', urls: ['https://acme.example'] },
      },
    });
    const notices: WizardNotice[] = [];
    actor.on('*', (notice) => notices.push(notice));
    actor.start();
    actor.send({ type: 'project.create', profile: complete });
    await waitFor(actor, (snapshot) => snapshot.matches('addingUrls'));
    expect(notices.at(-1)).toEqual({
      type: 'creation.failed',
      error: new Error('wizard: createProject is not provided'),
    });
  });
});

describe('summarised', () => {
  test('the summary is at 100 % and holds the created project', async () => {
    const { actor } = await startAtSummary();
    expect(wizardProgress(actor.getSnapshot())).toBe(100);
    expect(actor.getSnapshot().context.created).toEqual({
      projectName: 'Acme',
      urls: ['https://acme.example'],
      projectId: 'orange-k3x9p2m7qa',
      apiKey: 'oid_secret',
    });
  });

  test('Back shows the created project’s URLs read-only, and the summary opens again without a second creation', async () => {
    const { actor, calls, state } = await startAtSummary();
    actor.send({ type: 'step.back' });
    expect(state()).toBe('reviewing');
    expect(wizardProgress(actor.getSnapshot())).toBe(50);
    expect(canCreate(actor.getSnapshot())).toBe(false);
    for (const event of [
      { type: 'project.create', profile: complete },
      { type: 'url.remove', url: 'https://acme.example' },
    ] as const)
      expect(actor.getSnapshot().can(event)).toBe(false);
    actor.send({ type: 'summary.open' });
    expect(state()).toBe('summarised');
    expect(calls).toHaveBeenCalledTimes(1);
  });

  test('the same name opens the existing project after Back, and another name starts a new project', async () => {
    const { actor, calls, state } = await startAtSummary();
    actor.send({ type: 'step.back' });
    actor.send({ type: 'step.back' });
    expect(state()).toBe('naming');
    actor.send({ type: 'name.change', text: ' Acme ' });
    actor.send({ type: 'name.submit', profile: complete });
    expect(state()).toBe('reviewing');
    actor.send({ type: 'step.back' });
    actor.send({ type: 'name.change', text: 'Acme 2' });
    actor.send({ type: 'name.submit', profile: complete });
    expect(state()).toBe('addingUrls');
    expect(canCreate(actor.getSnapshot())).toBe(true);
    expect(actor.getSnapshot().can({ type: 'summary.open' })).toBe(true);
    actor.send({ type: 'project.create', profile: complete });
    await waitFor(actor, (snapshot) => snapshot.matches('summarised'));
    expect(calls.mock.calls.map(([{ projectName }]) => projectName)).toEqual(['Acme', 'Acme 2']);
  });
});

describe('a summary opened by its address', () => {
  const ready: ReadyProject = { projectName: 'Acme', urls: ['https://acme.example'], ...answer };

  test('the project is fetched for its summary, and Back shows its URLs', async () => {
    const wizard = start({ recalledId: answer.projectId, read: async () => ready });
    expect(wizard.state()).toBe('recalling');
    expect(shownProjectId(wizard.actor.getSnapshot())).toBe(answer.projectId);
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('summarised'));
    expect(wizard.reads.mock.calls).toEqual([[answer.projectId]]);
    expect(wizard.actor.getSnapshot().context.created).toEqual(ready);
    expect(draftOf(wizard.actor.getSnapshot())).toBeNull();
    wizard.actor.send({ type: 'step.back' });
    expect(wizard.state()).toBe('reviewing');
    expect(shownProjectId(wizard.actor.getSnapshot())).toBe(answer.projectId);
    wizard.actor.send({ type: 'step.back' });
    expect(shownProjectId(wizard.actor.getSnapshot())).toBeNull();
  });

  test('a summary keeps the draft of the next project', async () => {
    const draft = { projectName: 'Next', urls: ['https://next.example'] };
    const wizard = start({ draft, recalledId: answer.projectId, read: async () => ready });
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('summarised'));
    expect(draftOf(wizard.actor.getSnapshot())).toMatchObject(draft);
  });

  test('the address of a project that the user doesn’t have starts a new project', async () => {
    const wizard = start({ recalledId: 'orange-somebody0' });
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('naming'));
    expect(shownProjectId(wizard.actor.getSnapshot())).toBeNull();
    expect(wizard.actor.getSnapshot().context.created).toBeNull();
  });

  test('a summary that fails to load keeps its address, and Retry fetches it again', async () => {
    const failure = new TypeError('Failed to fetch');
    const read = jest
      .fn<() => Promise<ReadyProject>>()
      .mockRejectedValueOnce(failure)
      .mockResolvedValue(ready);
    const wizard = start({ recalledId: answer.projectId, read });
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('recallFailed'));
    expect(wizard.actor.getSnapshot().context.failure).toBe(failure);
    expect(shownProjectId(wizard.actor.getSnapshot())).toBe(answer.projectId);
    wizard.actor.send({ type: 'recall.retry' });
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('summarised'));
    expect(wizard.actor.getSnapshot().context.failure).toBeNull();
  });
});

describe('leaving a step', () => {
  test('leaving a step dismisses its toasts before the next step shows any', async () => {
    const heard: string[] = [];
    const wizard = start({ create: () => Promise.reject(new Error('down')) });
    wizard.actor.on('*', ({ type }) => heard.push(type));
    wizard.actor.send({ type: 'name.submit', profile: complete });
    wizard.actor.send({ type: 'name.change', text: 'Acme' });
    wizard.actor.send({ type: 'name.submit', profile: complete });
    expect(heard.splice(0)).toEqual(['name.refused', 'step.left']);
    addUrl(wizard, 'https://acme.example');
    expect(heard.splice(0)).toEqual(['url.added']);
    wizard.actor.send({ type: 'project.create', profile: complete });
    await waitFor(wizard.actor, (snapshot) => snapshot.matches('addingUrls'));
    expect(heard.splice(0)).toEqual(['step.left', 'step.left', 'creation.failed']);
    wizard.actor.send({ type: 'project.create', profile: {} });
    expect(heard).toEqual(['step.left', 'profile.refused']);
  });
});

describe('opening', () => {
  test('a draft that was left in the URL step reopens there', () => {
    const { actor, state } = start({
      draft: { step: 'addingUrls', projectName: 'Acme', urlText: 'https://', urls: ['https://acme.example'] },
    });
    expect(state()).toBe('addingUrls');
    expect(actor.getSnapshot().context).toMatchObject({ urlText: 'https://', projectName: 'Acme' });
  });

  test('a draft that was left in the URL step without a valid name reopens in the name step', () => {
    expect(start({ draft: { step: 'addingUrls', projectName: ' ' } }).state()).toBe('naming');
  });
});

describe('the stored draft', () => {
  test('the draft contains all input and the step', () => {
    const wizard = startAtUrls();
    addUrl(wizard, 'https://acme.example');
    wizard.actor.send({ type: 'url.change', text: 'https://half' });
    expect(draftOf(wizard.actor.getSnapshot())).toEqual({
      step: 'addingUrls',
      projectName: 'Acme',
      urlText: 'https://half',
      urls: ['https://acme.example'],
      profileTexts: { email: '', displayName: '' },
    });
    wizard.actor.send({ type: 'step.back' });
    expect(draftOf(wizard.actor.getSnapshot())).toMatchObject({ step: 'naming' });
  });

  test('the draft is empty once its project is created, and starts again when another name is typed', async () => {
    const wizard = await startAtSummary();
    expect(draftOf(wizard.actor.getSnapshot())).toBeNull();
    wizard.actor.send({ type: 'step.back' });
    expect(draftOf(wizard.actor.getSnapshot())).toBeNull();
    wizard.actor.send({ type: 'step.back' });
    wizard.actor.send({ type: 'name.change', text: 'Acme 2' });
    expect(draftOf(wizard.actor.getSnapshot())).toMatchObject({ step: 'naming', projectName: 'Acme 2' });
  });
});
