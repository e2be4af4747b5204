import { expect, test } from '@jest/globals';
import { profileUpdate } from './profile.schema.js';

const phrase = (update: object) => {
  const parsed = profileUpdate.safeParse(update);
  return parsed.success ? null : parsed.error.issues[0]?.message;
};

test.each([
  ['displayName', 80, ['a', '🍊']],
  ['userName', 40, ['a']],
  ['displayDesc', 1000, ['a', '🍊']],
] as const)('%s takes %i characters and not one more, an emoji counting as one', (field, max, characters) => {
  for (const character of characters) {
    expect(phrase({ [field]: character.repeat(max) })).toBeNull();
    expect(phrase({ [field]: character.repeat(max + 1) })).toBe(`must have at most ${max} characters`);
  }
});

test.each(['ada lovelace', 'ada!', '@', '🍊'])(
  'the username %j is refused with the allowed characters',
  (userName) => {
    expect(phrase({ userName })).toBe('must use only letters a–z, digits, dots, hyphens and underscores');
  },
);

test('an empty username and one that NFKC turns into letters are valid', () => {
  expect(profileUpdate.parse({ userName: ' Ａda ' })).toEqual({ userName: 'Ada' });
  expect(profileUpdate.parse({ userName: '' })).toEqual({ userName: '' });
});
