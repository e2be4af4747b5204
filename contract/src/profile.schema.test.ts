import { expect, test } from '@jest/globals';
import { profileUpdate } from './profile.schema.js';

const phrase = (update: object) => {
  const parsed = profileUpdate.safeParse(update);
  return parsed.success ? null : parsed.error.issues[0]?.message;
};

test.each([
  ['displayName', 80],
  ['userName', 40],
  ['displayDesc', 1000],
] as const)('%s takes %i characters and not one more, an emoji counting as one', (field, max) => {
  for (const character of ['a', '🍊']) {
    expect(phrase({ [field]: character.repeat(max) })).toBeNull();
    expect(phrase({ [field]: character.repeat(max + 1) })).toBe(`must have at most ${max} characters`);
  }
});
