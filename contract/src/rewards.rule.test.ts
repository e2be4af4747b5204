import { describe, expect, test } from '@jest/globals';
import {
  experienceMissing,
  experiencePointsOf,
  experienceText,
  rankAt,
  rankProgress,
  ranks,
  rewards,
  type Activity,
} from './rewards.rule.js';

const nothing: Activity = {
  isProfileComplete: false,
  isEmailVerified: false,
  signInKinds: 1,
  hasProject: false,
  calls: 0,
  daysWithCalls: 0,
};
const points = (done: Partial<Activity>) => experiencePointsOf({ ...nothing, ...done });

describe('experience points', () => {
  test('a new account has none, and neither has an account without known data', () => {
    expect(points({})).toBe(0);
    expect(points({ signInKinds: 0 })).toBe(0);
  });

  test.each<[string, Partial<Activity>, number]>([
    ['a complete profile', { isProfileComplete: true }, 5_000],
    ['a verified email', { isEmailVerified: true }, 2_500],
    ['a second kind of sign-in', { signInKinds: 2 }, 2_500],
    ['all four kinds', { signInKinds: 4 }, 7_500],
    ['more kinds than there are', { signInKinds: 9 }, 7_500],
    ['a project', { hasProject: true }, 5_000],
    ['the first call', { calls: 1 }, 5_000],
    ['999 calls', { calls: 999 }, 5_000],
    ['1,000 calls', { calls: 1_000 }, 6_000],
    ['1,999 calls', { calls: 1_999 }, 6_000],
    ['99,999 calls', { calls: 99_999 }, 104_000],
    ['100,000 calls', { calls: 100_000 }, 105_000],
    ['a hundred million calls', { calls: 100_000_000 }, 105_000],
    ['one day with calls', { daysWithCalls: 1 }, 500],
    ['60 days with calls', { daysWithCalls: 60 }, 30_000],
    ['years of days with calls', { daysWithCalls: 2_000 }, 30_000],
  ])('for %s are those of the table', (_, done, expected) => expect(points(done)).toBe(expected));

  test('all activities together give the sum and the maximum of the table', () => {
    const all = {
      isProfileComplete: true,
      isEmailVerified: true,
      signInKinds: 4,
      hasProject: true,
      calls: 1e9,
      daysWithCalls: 1e4,
    };
    expect(points(all)).toBe(155_000);
    expect(rewards.reduce((sum, reward) => sum + reward.points * reward.most, 0)).toBe(155_000);
  });
});

describe('the rank', () => {
  test.each([
    [0, 'Observer', 'Builder'],
    [9_999, 'Observer', 'Builder'],
    [10_000, 'Builder', 'Integrator'],
    [24_999, 'Builder', 'Integrator'],
    [25_000, 'Integrator', 'Operator'],
    [59_999, 'Integrator', 'Operator'],
    [60_000, 'Operator', 'Pioneer'],
    [119_999, 'Operator', 'Pioneer'],
    [120_000, 'Pioneer', null],
    [155_000, 'Pioneer', null],
    [-1, 'Observer', 'Builder'],
  ])('at %i points is %s, then %s', (experiencePoints, rank, next) => {
    const at = rankAt(experiencePoints);
    expect([at.current.rank, at.next?.rank ?? null]).toEqual([rank, next]);
  });

  test('the highest is reachable without linked sign-in methods, which a hosted service does not report', () => {
    const known = { ...nothing, signInKinds: 0, isProfileComplete: true, hasProject: true };
    expect(rankAt(experiencePointsOf({ ...known, calls: 100_000, daysWithCalls: 60 })).next).toBeNull();
  });

  test('each has its own badge', () => {
    expect(new Set(ranks.map(({ rankImage }) => rankImage)).size).toBe(ranks.length);
  });

  test('progress goes from one rank to the next and stays full at the highest', () => {
    expect([0, 5_000, 9_999, 10_000, 17_500, 120_000, 155_000].map(rankProgress)).toEqual([
      0, 0.5, 0.9999, 0, 0.5, 1, 1,
    ]);
  });
});

describe('experience as the page shows it', () => {
  test.each([
    [0, '0 XP'],
    [99, '0 XP'],
    [100, '1 XP'],
    [199, '1 XP'],
    [5_000, '50 XP'],
    [12_345, '123 XP'],
    [155_000, '1550 XP'],
    [-150, '-1 XP'],
  ])('%i raw points are %s', (raw, text) => expect(experienceText(raw)).toBe(text));

  test('the shown points and the missing points add up to the next rank', () => {
    expect(experienceMissing(5_050, ranks[1]!)).toBe('50 XP');
    expect(experienceMissing(9_999, ranks[1]!)).toBe('1 XP');
    expect(experienceMissing(0, ranks[1]!)).toBe('100 XP');
  });
});
