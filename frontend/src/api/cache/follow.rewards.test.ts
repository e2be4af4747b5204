import { expect, test } from '@jest/globals';
import { createQueryClient } from './query.client';
import { queryKeys } from './query.keys';

const user = { id: 'u1', email: null, displayName: null, emailVerified: false };
const method = (provider: string) => ({ id: provider, provider, label: 'x' });
const newest = queryKeys.usage({ newest: true });

/** Whether the cached rank is invalidated after the data of `key` changes from `before` to `after`. */
function isOldAfter(key: readonly unknown[], before: unknown, after: unknown): boolean {
  const client = createQueryClient();
  client.setQueryData(queryKeys.reward, { rank: 'Observer', rankImage: null, experiencePoints: 0 });
  client.setQueryData(key, before);
  expect(client.getQueryState(queryKeys.reward)?.isInvalidated).toBe(false);
  client.setQueryData(key, after);
  const isOld = client.getQueryState(queryKeys.reward)?.isInvalidated === true;
  client.clear();
  return isOld;
}

test.each<[string, readonly unknown[], unknown, unknown]>([
  ['an email is added', queryKeys.user, user, { ...user, email: 'a@example.com' }],
  ['a display name is added', queryKeys.user, user, { ...user, displayName: 'Ada' }],
  ['the email is confirmed', queryKeys.user, user, { ...user, emailVerified: true }],
  [
    'a sign-in method is linked',
    queryKeys.signInMethods,
    [method('email')],
    [method('email'), method('wallet')],
  ],
  [
    'a sign-in method is removed',
    queryKeys.signInMethods,
    [method('email'), method('google')],
    [method('email')],
  ],
  ['the first project is created', queryKeys.projects, [], [{ id: 'p1' }]],
  ['the last project is deleted', queryKeys.projects, [{ id: 'p1' }], []],
  ['the first call arrives', newest, null, { seq: 1 }],
])('the rank is refetched when %s', (_, key, before, after) => {
  expect(isOldAfter(key, before, after)).toBe(true);
});

test.each<[string, readonly unknown[], unknown, unknown]>([
  ['the bio changes', queryKeys.user, user, { ...user, bio: 'Counts' }],
  [
    'a second wallet is linked',
    queryKeys.signInMethods,
    [method('wallet')],
    [method('wallet'), method('wallet')],
  ],
  ['a second project is created', queryKeys.projects, [{ id: 'p1' }], [{ id: 'p1' }, { id: 'p2' }]],
  ['another call arrives', newest, { seq: 1 }, { seq: 2 }],
  ['another page of calls is fetched', queryKeys.usage({ limit: 100 }), { rows: [] }, { rows: [1] }],
])('the rank is not refetched when %s', (_, key, before, after) => {
  expect(isOldAfter(key, before, after)).toBe(false);
});
