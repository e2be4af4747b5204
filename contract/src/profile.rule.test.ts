import { expect, test } from '@jest/globals';
import { profileGaps } from './profile.rule.js';

test.each([
  [{ email: 'a@example.com', displayName: 'Ada' }, []],
  [{ email: null, displayName: 'Ada' }, ['email']],
  [{ email: 'a@example.com', displayName: null }, ['displayName']],
  [{ email: 'a@example.com', displayName: '' }, ['displayName']],
  [{ email: ' \t', displayName: '\u00a0' }, ['email', 'displayName']],
  [{ email: null, displayName: null }, ['email', 'displayName']],
  [{}, ['email', 'displayName']],
])('%j lacks %j', (user, gaps) => {
  expect(profileGaps(user)).toEqual(gaps);
});
