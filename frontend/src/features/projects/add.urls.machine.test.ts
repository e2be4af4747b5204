import { expect, jest, test } from '@jest/globals';
import { createActor, fromPromise, waitFor } from 'xstate';
import { addUrlsMachine } from './add.urls.machine';
import type { AddUrlsNotice, UrlAddition, UrlDraft } from './add.urls.types';
import { pendingWork } from '../../testing/pending.work';
import { VanishedError } from '../../api/vanished.error';
import type { DialogProject } from './dialog.errors';

const project: DialogProject = { code: 'orange-abcdefghij', projectName: 'Acme' };
const urls = ['https://known.example.org'];

function start() {
  const work = pendingWork<void>();
  const calls = jest.fn((_: UrlAddition) => work.promise);
  const actor = createActor(
    addUrlsMachine.provide({
      actors: { saveUrls: fromPromise<void, UrlAddition>(({ input }) => calls(input)) },
    }),
  );
  const notices: AddUrlsNotice[] = [];
  actor.on('*', (notice) => notices.push(notice));
  actor.start();
  return {
    actor,
    calls,
    notices,
    answer: () => work.answer(),
    refuse: work.refuse,
    type: (text: string) => actor.send({ type: 'url.change', text }),
    add: (text: string) => {
      actor.send({ type: 'url.change', text });
      actor.send({ type: 'url.add' });
    },
    save: () => actor.send({ type: 'urls.save' }),
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  };
}

function startCollecting(draft: UrlDraft | null = null) {
  const running = start();
  running.actor.send({ type: 'dialog.open', project, urls, draft });
  return running;
}

function startWithOne() {
  const running = startCollecting();
  running.add('https://one.example.org');
  return running;
}

function startWorking() {
  const running = startWithOne();
  running.save();
  return running;
}

async function startFailed(error: unknown = new Error('503')) {
  const running = startWorking();
  await running.refuse(error);
  return running;
}

test('a URL is added to the list normalised, with a note if that changed it', () => {
  const { add, context, notices, state } = startCollecting();
  add('https://one.example.org');
  expect(context()).toMatchObject({ pending: ['https://one.example.org'], urlText: '', normalized: null });
  add('HTTPS://Two.example.org:8080/path');
  expect(context()).toMatchObject({
    pending: ['https://one.example.org', 'https://two.example.org'],
    normalized: 'https://two.example.org',
  });
  expect(notices).toEqual([
    { type: 'url.added', url: 'https://one.example.org', isNormalized: false },
    { type: 'url.added', url: 'https://two.example.org', isNormalized: true },
  ]);
  expect(state()).toBe('collecting');
});

test.each([
  ['', 'required'],
  ['nonsense', 'unparseable'],
  ['ftp://example.com', 'protocol'],
  ['https://ab', 'tooShort'],
  ['http://localhost:3000', 'local'],
  ['https://192.168.0.1', 'notPublic'],
  ['https://known.example.org/page', 'duplicate'],
  ['https://pending.example.org', 'duplicate'],
])('the URL %p is rejected as %s, and typing clears the error', (text, code) => {
  const { add, context, notices, type } = startCollecting();
  add('https://pending.example.org');
  add(text);
  expect(context()).toMatchObject({ refusal: code, urlText: text, pending: ['https://pending.example.org'] });
  expect(notices.at(-1)).toEqual({ type: 'url.refused', code, text });
  type(`${text}x`);
  expect(context().refusal).toBeNull();
});

test('a URL is rejected if the allowed and pending URLs total 100', () => {
  const pending = Array.from({ length: 99 }, (_, index) => `https://site-${index}.example.org`);
  const { add, context } = startCollecting({ urlText: '', pending });
  add('https://one-more.example.org');
  expect(context()).toMatchObject({ pending, refusal: 'tooMany' });
});

test('pending URLs can be removed, and those added elsewhere are dropped', () => {
  const { actor, add, context } = startCollecting();
  for (const name of ['a', 'b', 'c']) add(`https://${name}.example.org`);
  actor.send({ type: 'url.remove', url: 'https://b.example.org' });
  actor.send({ type: 'whitelist.change', urls: [...urls, 'https://c.example.org'] });
  expect(context().pending).toEqual(['https://a.example.org']);
  add('https://c.example.org');
  expect(context().refusal).toBe('duplicate');
});

test('closing the dialog keeps the pending URLs and the typed text, even after a failure', async () => {
  const typed = startWithOne();
  typed.type('half');
  for (const { actor, context, state } of [typed, await startFailed()]) {
    const { urlText } = context();
    actor.send({ type: 'dialog.close' });
    expect([state(), context().pending, context().urlText]).toEqual([
      'closed',
      ['https://one.example.org'],
      urlText,
    ]);
  }
  const working = startWorking();
  working.actor.send({ type: 'dialog.close' });
  expect(working.state()).toBe('working');
});

test('the pending URLs of one project are not shown for another', () => {
  const other = startWithOne();
  other.actor.send({ type: 'dialog.close' });
  const another = { ...project, code: 'orange-other00000' };
  other.actor.send({ type: 'dialog.open', project: another, urls: [], draft: null });
  expect(other.context()).toMatchObject({ pending: [], urlText: '', urls: [] });
});

test('a stored draft is restored for its project', () => {
  const draft = { urlText: 'half', pending: ['https://one.example.org', urls[0] as string] };
  expect(startCollecting(draft).context()).toMatchObject({
    urlText: 'half',
    pending: ['https://one.example.org'],
  });
});

test('saving sends the pending URLs once, with the typed one', async () => {
  const { actor, add, answer, calls, context, notices, save, state, type } = startCollecting();
  add('https://one.example.org');
  type('https://two.example.org/page');
  save();
  save();
  actor.send({ type: 'dialog.close' });
  actor.send({ type: 'url.remove', url: 'https://one.example.org' });
  actor.send({ type: 'whitelist.change', urls: ['https://one.example.org'] });
  actor.send({ type: 'project.vanish' });
  expect(state()).toBe('working');
  await answer();
  expect(state()).toBe('succeeded');
  expect(calls.mock.calls).toEqual([
    [{ project, urls: ['https://one.example.org', 'https://two.example.org'] }],
  ]);
  expect(context()).toMatchObject({ pending: [], urlText: '' });
  expect(notices.at(-1)).toEqual({ type: 'urls.saved' });
  actor.send({ type: 'dialog.open', project, urls, draft: null });
  expect(state()).toBe('collecting');
});

test('saving without URLs or with an invalid one shows an error and sends nothing', () => {
  const { add, calls, context, save, state, type } = startCollecting();
  save();
  expect([state(), context().refusal]).toEqual(['collecting', 'required']);
  add('https://one.example.org');
  type('https://known.example.org');
  save();
  expect([state(), context().refusal]).toEqual(['collecting', 'duplicate']);
  expect(calls).not.toHaveBeenCalled();
});

test('a typed URL that is already pending doesn’t block saving', () => {
  const { add, calls, save, type } = startCollecting();
  add('https://one.example.org');
  type('https://one.example.org/');
  save();
  expect(calls.mock.calls).toEqual([[{ project, urls: ['https://one.example.org'] }]]);
});

test('a failed save keeps the pending URLs, and can be retried', async () => {
  const failure = new Error('503');
  const { actor, context, notices, save, state } = await startFailed(failure);
  expect(state()).toBe('failed');
  expect(context()).toMatchObject({ failure, pending: ['https://one.example.org'] });
  expect(notices.at(-1)).toEqual({ type: 'saving.failed', error: failure });
  actor.send({ type: 'whitelist.change', urls });
  expect(state()).toBe('failed');
  save();
  expect([state(), context().failure]).toEqual(['working', null]);
});

test('any further step leaves the failed state', async () => {
  const typed = await startFailed();
  typed.type('x');
  const added = await startFailed();
  added.actor.send({ type: 'url.add' });
  const removed = await startFailed();
  removed.actor.send({ type: 'url.remove', url: 'https://one.example.org' });
  // The pending URL was added elsewhere, so there is nothing left to save.
  const emptied = await startFailed();
  emptied.actor.send({ type: 'whitelist.change', urls: ['https://one.example.org'] });
  emptied.save();
  for (const { state } of [typed, added, removed, emptied]) expect(state()).toBe('collecting');
  expect([added.context().refusal, emptied.context().refusal]).toEqual(['required', 'required']);
  const closed = await startFailed();
  closed.actor.send({ type: 'dialog.close' });
  expect(closed.state()).toBe('closed');
});

test('a deleted project is reported before a save, after one and by its response', async () => {
  const before = startCollecting();
  before.actor.send({ type: 'project.vanish' });
  const instead = await startFailed(new VanishedError('project'));
  const after = await startFailed();
  after.actor.send({ type: 'project.vanish' });
  for (const { actor, context, save, state } of [before, instead, after]) {
    save();
    expect(state()).toBe('vanished');
    actor.send({ type: 'dialog.close' });
    expect([state(), context().pending]).toEqual(['closed', []]);
  }
});

test('a save without a provided actor reports the missing actor', async () => {
  const actor = createActor(addUrlsMachine).start();
  actor.send({ type: 'dialog.open', project, urls: [], draft: null });
  actor.send({ type: 'url.change', text: 'https://one.example.org' });
  actor.send({ type: 'urls.save' });
  await waitFor(actor, (snapshot) => snapshot.matches('failed'));
  expect(actor.getSnapshot().context.failure).toEqual(new Error('addUrls: saveUrls is not provided'));
});
