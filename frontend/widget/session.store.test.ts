import { expect, jest, test } from '@jest/globals';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { createSessionStore } from './session.store';

const now = Date.parse('2026-01-01T00:00:00Z');
const ann: IdentityUser = { id: 'u1', email: 'ann@example.com', displayName: null };

const jwt = (exp: number) => `e30.${Buffer.from(JSON.stringify({ sub: 'u1', exp })).toString('base64url')}.s`;
const fresh = jwt(now / 1000 + 60);

/** The part of `Storage` that the store uses, with keys as own properties as in a browser. */
function memory(entries: Record<string, string> = {}): Storage {
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, text: string) => void (entries[key] = text),
    removeItem: (key: string) => void delete entries[key],
  };
  return new Proxy(entries, {
    get: (target, key: string) => methods[key as keyof typeof methods] ?? target[key],
  }) as unknown as Storage;
}

function start(entries: Record<string, string> = {}) {
  const page = new EventTarget();
  const add = jest.spyOn(page, 'addEventListener');
  const remove = jest.spyOn(page, 'removeEventListener');
  const store = createSessionStore(memory(entries), page as unknown as Window, () => now);
  return { store, entries, page, add, remove };
}

test('a started session is stored in the persisted form and read back', () => {
  const { store, entries } = start();
  store.begin({ accessToken: fresh, refreshToken: 'r' }, ann);
  expect(entries['passport-token']).toBe(
    `{"state":{"accessToken":"${fresh}","refreshToken":"r"},"version":0}`,
  );
  expect(store.read()).toEqual({ tokens: { accessToken: fresh, refreshToken: 'r' }, user: ann });
  expect(store.read()).toBe(store.read());
});

test('a token is no longer returned from the second it expires', () => {
  const stored = (exp: number) =>
    start({
      'passport-token': JSON.stringify({ state: { accessToken: jwt(exp), refreshToken: 'r' }, version: 0 }),
    }).store.read().tokens;
  expect(stored(now / 1000)).toBeNull();
  expect(stored(now / 1000 + 1)).not.toBeNull();
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"state":null}',
  '{"state":{"accessToken":1,"refreshToken":"r"}}',
  '{"state":{"accessToken":"","refreshToken":"r"}}',
])('a stored token %j counts as signed out', (text) => {
  const { store } = start({ 'passport-token': text, 'passport-user': text });
  expect(store.read()).toEqual({ tokens: null, user: null });
});

test('ending a session removes only the passport’s own keys', () => {
  const { store, entries } = start({
    'passport-token': '{}',
    'passport-session': 'x',
    source: 'docs',
    submittedProjects: '[]',
    accessToken: 'kept for the page to clear',
  });
  store.end();
  expect(Object.keys(entries)).toEqual(['source', 'submittedProjects', 'accessToken']);
});

test('subscribers are notified of changes in this page and in other tabs until they unsubscribe', () => {
  const { store, page, add, remove } = start();
  const heard = jest.fn();
  const leave = store.subscribe(heard);
  const leaveToo = store.subscribe(() => undefined);
  expect(add).toHaveBeenCalledTimes(1);
  store.keepUser(ann);
  page.dispatchEvent(new Event('storage'));
  expect(heard).toHaveBeenCalledTimes(2);
  leave();
  leaveToo();
  expect(remove).toHaveBeenCalledTimes(1);
  store.end();
  page.dispatchEvent(new Event('storage'));
  expect(heard).toHaveBeenCalledTimes(2);
});
