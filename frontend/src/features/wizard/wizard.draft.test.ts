import { expect, test } from '@jest/globals';
import { clearDraft, emptyDraft, readDraft, storeDraft, type WizardDraft } from './wizard.draft';

const draft: WizardDraft = {
  step: 'addingUrls',
  projectName: 'Łódź 🍊',
  urlText: 'https://',
  urls: ['https://acme.example'],
};

function memory(text?: string) {
  const map = new Map<string, string>(text === undefined ? [] : [['wizardDraft', text]]);
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

test('a stored draft comes back whole until it is cleared', () => {
  const storage = memory();
  expect(readDraft('u1', storage)).toEqual(emptyDraft);
  storeDraft('u1', draft, storage);
  expect(readDraft('u1', storage)).toEqual(draft);
  clearDraft(storage);
  expect(readDraft('u1', storage)).toEqual(emptyDraft);
});

test("another user's draft is not shown", () => {
  const storage = memory();
  storeDraft('u1', draft, storage);
  expect(readDraft('u2', storage)).toEqual(emptyDraft);
});

test('a draft the storage has no room for is not kept, and no older one in its place', () => {
  const storage = memory();
  storeDraft('u1', draft, storage);
  const full = {
    ...storage,
    setItem: () => {
      throw new DOMException('exceeded the quota', 'QuotaExceededError');
    },
  };
  storeDraft('u1', { ...draft, projectName: 'x' }, full);
  expect(readDraft('u1', storage)).toEqual(emptyDraft);
});

test.each(['', 'not json', 'null', '[]', '{"userId":"u1"}', '{"userId":"u1","draft":{"step":"gone"}}'])(
  'what is stored as %j counts as no draft',
  (text) => {
    expect(readDraft('u1', memory(text))).toEqual(emptyDraft);
  },
);
