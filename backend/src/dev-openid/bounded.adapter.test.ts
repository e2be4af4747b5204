import { expect, test } from '@jest/globals';
import { boundedAdapters } from './bounded.adapter.js';

test('entries of the built-in provider are found by their uid within their model, and revoked with their grant', async () => {
  const adapterOf = boundedAdapters();
  const [sessions, codes] = [adapterOf('Session'), adapterOf('AuthorizationCode')];
  await sessions.upsert('a', { uid: 'one', grantId: 'first' }, 60);
  await sessions.upsert('b', { uid: 'two', grantId: 'second' }, 60);
  await codes.upsert('c', { uid: 'three', grantId: 'first' }, 60);
  expect(await sessions.findByUid('two')).toMatchObject({ uid: 'two' });
  expect(await sessions.findByUid('three')).toBeUndefined();
  await sessions.revokeByGrantId('first');
  expect([await sessions.find('a'), await codes.find('c')]).toEqual([undefined, undefined]);
  expect(await sessions.find('b')).toMatchObject({ uid: 'two' });
});
