import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { draftStore } from './draft.storage';

const drafts = draftStore('aDraft', z.object({ text: z.string() }));
const draft = { text: 'Łódź 🍊' };

function memory(text?: string) {
  const map = new Map<string, string>(text === undefined ? [] : [['aDraft.u1', text]]);
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

test('a stored draft is read back unchanged until it is cleared', () => {
  const storage = memory();
  expect(drafts.read('u1', storage)).toBeNull();
  drafts.store('u1', draft, storage);
  expect(drafts.read('u1', storage)).toEqual(draft);
  drafts.clear('u2', storage);
  expect(drafts.read('u1', storage)).toEqual(draft);
  drafts.clear('u1', storage);
  expect(drafts.read('u1', storage)).toBeNull();
});

test('a draft is not read for another user or under another name', () => {
  const storage = memory();
  drafts.store('u1', draft, storage);
  expect(drafts.read('u2', storage)).toBeNull();
  drafts.store('u2', { text: 'theirs' }, storage);
  expect(drafts.read('u1', storage)).toEqual(draft);
  expect(draftStore('another', z.object({ text: z.string() })).read('u1', storage)).toBeNull();
});

test('a draft that exceeds the storage quota is not stored, and the older one is removed', () => {
  const storage = memory();
  drafts.store('u1', draft, storage);
  const full = {
    ...storage,
    setItem: () => {
      throw new DOMException('exceeded the quota', 'QuotaExceededError');
    },
  };
  drafts.store('u1', { text: 'x' }, full);
  expect(drafts.read('u1', storage)).toBeNull();
});

test.each(['', 'not json', 'null', '[]', '{}', '{"text":7}'])(
  'a stored value of %j counts as no draft',
  (text) => {
    expect(drafts.read('u1', memory(text))).toBeNull();
  },
);
