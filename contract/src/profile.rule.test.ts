import { expect, test } from '@jest/globals';
import { isUserNameSpelling, profileGaps } from './profile.rule.js';

test.each([
  [{ email: 'a@example.com', displayName: 'Ada' }, []],
  [{ email: null, displayName: 'Ada' }, ['email']],
  [{ email: 'a@example.com', displayName: null }, ['displayName']],
  [{ email: 'a@example.com', displayName: '' }, ['displayName']],
  [{ email: ' \t', displayName: '\u00a0' }, ['email', 'displayName']],
  [{ email: null, displayName: null }, ['email', 'displayName']],
  [{}, ['email', 'displayName']],
])('the profile %j lacks %j', (user, gaps) => {
  expect(profileGaps(user)).toEqual(gaps);
});

test.each(['ada', 'Ada_L', 'a.da-1815', '42', ''])('a username may be %j', (text) => {
  expect(isUserNameSpelling(text)).toBe(true);
});

test.each(['ada lovelace', 'ada!', '@', 'a@b', 'ada/1', 'ädä', 'аdа', '🍊', 'ada\n', '<b>'])(
  'a username may not be %j',
  (text) => {
    expect(isUserNameSpelling(text)).toBe(false);
  },
);
