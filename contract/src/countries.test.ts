import { expect, test } from '@jest/globals';
import { countries } from './countries.js';
import { profileUpdate } from './profile.schema.js';

test('there are 79 different countries in alphabetical order, from Afghanistan to Vietnam', () => {
  expect(countries).toHaveLength(79);
  expect([countries[0], countries.at(-1)]).toEqual(['Afghanistan', 'Vietnam']);
  expect([...countries].sort((a, b) => a.localeCompare(b, 'en'))).toEqual([...countries]);
  expect(new Set(countries).size).toBe(79);
});

test('each offered country is valid in the profile schema', () => {
  for (const country of countries) expect(profileUpdate.parse({ country })).toEqual({ country });
});
