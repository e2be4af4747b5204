import { expect, test } from '@jest/globals';
import { changeKey, createKey, rotateKey } from './keys.schema.js';

const verdictOf = (body: unknown) => {
  const parsed = createKey.safeParse(body);
  return parsed.success ? parsed.data.name : parsed.error.issues[0]?.message;
};

test.each([
  [{ name: 'Server' }, 'Server'],
  [{ name: '  Server  ' }, 'Server'],
  [{ name: 'a'.repeat(50) }, 'a'.repeat(50)],
  [{ name: ` ${'a'.repeat(50)} ` }, 'a'.repeat(50)],
  [{ name: '' }, 'Name is required'],
  [{ name: '   ' }, 'Name is required'],
  [{}, 'Name is required'],
  [{ name: null }, 'Name is required'],
  [{ name: 7 }, 'Name is required'],
  [{ name: 'a'.repeat(51) }, 'Name must be less than 50 characters'],
  [{ name: 'a\u0000b' }, 'Name must not contain invisible or control characters'],
  [{ name: 'a\u202eb' }, 'Name must not contain invisible or control characters'],
])('the body %j gives %s', (body, verdict) => {
  expect(verdictOf(body)).toBe(verdict);
});

test.each(['userId', 'key', 'isActive', 'id', '__proto__x'])('%s in the body is refused', (field) => {
  expect(verdictOf({ name: 'Server', [field]: 'x' })).toBe(`Unrecognized key: "${field}"`);
});

const problemOf = (schema: typeof changeKey | typeof rotateKey, body: unknown) =>
  schema.safeParse(body).error?.issues[0]?.message ?? null;

test.each([
  [{ name: ' Server ' }],
  [{ expiresAt: '2027-01-31T12:00:00Z' }],
  [{ expiresAt: '2027-01-31T12:00:00+02:00' }],
  [{ rateLimit: 1 }],
  [{ name: 'Server', expiresAt: null, rateLimit: null }],
])('the change %j is accepted', (body) => {
  expect(problemOf(changeKey, body)).toBeNull();
});

const callsPerSecond = 'must be a whole number of calls per second, at least 1, or null for no limit';
const expiry =
  'must be an ISO 8601 time in the years 0001 to 9999, such as 2027-01-31T12:00:00Z, or null for no expiry';
test.each([
  [{}, 'must contain name, expiresAt or rateLimit'],
  [{ name: null }, 'Name is required'],
  [{ name: 'a'.repeat(51) }, 'Name must be less than 50 characters'],
  [{ expiresAt: 'tomorrow' }, expiry],
  [{ expiresAt: '2027-01-31' }, expiry],
  [{ expiresAt: '2027-01-31T12:00:00' }, expiry],
  [{ expiresAt: '2027-02-30T12:00:00Z' }, expiry],
  [{ expiresAt: 1_800_000_000_000 }, expiry],
  [{ expiresAt: '9999-12-31T23:00:00-02:00' }, expiry],
  [{ rateLimit: 0 }, callsPerSecond],
  [{ rateLimit: -1 }, callsPerSecond],
  [{ rateLimit: 1.5 }, callsPerSecond],
  [{ rateLimit: '5' }, callsPerSecond],
  [{ rateLimit: 1_000_001 }, callsPerSecond],
  [{ replacedAt: null }, 'Unrecognized key: "replacedAt"'],
])('the change %j is refused: %s', (body, problem) => {
  expect(problemOf(changeKey, body)).toBe(problem);
});

const days = 'must be a whole number of days from 0 to 30; with 0 the old key stops at once';
test.each([
  [{ overlapDays: 0 }, null],
  [{ overlapDays: 30 }, null],
  [{ overlapDays: 31 }, days],
  [{ overlapDays: -1 }, days],
  [{ overlapDays: 0.5 }, days],
  [{ overlapDays: '7' }, days],
  [{}, days],
])('the problem of the rotation %j is %s', (body, problem) => {
  expect(problemOf(rotateKey, body)).toBe(problem);
});
