import { expect, test } from '@jest/globals';
import { profileRows } from './profile.fields.js';
import { profileUpdate } from './profile.schema.js';

const phrase = (update: object) => {
  const parsed = profileUpdate.safeParse(update);
  return parsed.success ? null : parsed.error.issues[0]?.message;
};

const texts = profileRows.filter(({ kind }) => /^(text|multiline)$/.test(kind));

test.each(texts)(
  '$sentAs takes $maxCharacters characters and not one more, an emoji counting as one',
  ({ sentAs, maxCharacters: max, spelling }) => {
    for (const character of spelling ? ['a'] : ['a', '🍊']) {
      expect(phrase({ [sentAs]: character.repeat(max) })).toBeNull();
      expect(phrase({ [sentAs]: character.repeat(max + 1) })).toBe(`must have at most ${max} characters`);
    }
  },
);

test.each(texts)('$sentAs takes no control character', ({ sentAs, spelling }) => {
  expect(phrase({ [sentAs]: 'a\u0000b' })).toMatch(spelling ? /^must/ : /control characters$/);
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
