import { expect, test } from '@jest/globals';
import { unsignedToken } from '../../testing/unsigned.token';
import { isSuccessorOf } from './session.rules';

const now = Date.parse('2026-03-04T12:00:00.000Z');
const minute = 60_000;
const sessionOf = (expiresAt: number, subject: string, refreshToken: string) => ({
  accessToken: unsignedToken(expiresAt, subject),
  refreshToken,
});
const current = sessionOf(now + minute, 'ada', 'first');
const expired = sessionOf(now - minute, 'ada', 'first');

test.each([
  ['another sign-in of the same user', current, sessionOf(now + 2 * minute, 'ada', 'second'), true],
  ['another sign-in of another user', current, sessionOf(now + 2 * minute, 'eve', 'second'), true],
  [
    'another user’s session with the same refresh token',
    current,
    sessionOf(now + 2 * minute, 'eve', 'first'),
    true,
  ],
  ['a renewal of an expired token', expired, sessionOf(now + minute, 'ada', 'first'), true],
  ['a renewal of a token that is still valid', current, sessionOf(now + 2 * minute, 'ada', 'first'), false],
  ['the same tokens', current, current, false],
  ['an expired sign-in', current, sessionOf(now - minute, 'ada', 'second'), false],
])('whether %s is a later session', (_, before, after, isSuccessor) => {
  expect(isSuccessorOf(before, after, now)).toBe(isSuccessor);
});
