import { expect, test } from '@jest/globals';
import { appRoutes } from './app.routes.js';
import { accent, brandPalette, textOnAccent } from './brand.palette.js';
import { countries } from './countries.js';
import { errorTable } from './error.codes.js';
import { limits } from './limits.js';
import { profileFields } from './profile.fields.js';
import { defaultRank, defaultRankImage, ranks, rewards } from './rewards.rule.js';
import { storageKeys } from './storage.keys.js';
import { usageRanges } from './usage.range.js';

// Clients, documents and stored data depend on these values. A changed one shows as a changed line in the review.
test.each([
  ['the pages', appRoutes],
  ['the limits', limits],
  ['the errors', errorTable],
  ['the countries', countries],
  ['the profile fields', profileFields],
  ['the rewards', rewards],
  ['the ranks', { defaultRank, defaultRankImage, ranks }],
  ['the names in the browser’s storage', storageKeys],
  ['the ranges of Usage', usageRanges],
  ['the colours', { accent, textOnAccent, brandPalette }],
])('%s have the values of their snapshot', (_, table) => {
  expect(table).toMatchSnapshot();
});
