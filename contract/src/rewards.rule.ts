/**
 * What a developer has done; unknown fields count as not done. Each field describes what exists now or counts what
 * cannot be undone, so repeating and undoing an action adds nothing.
 */
export interface Activity {
  /** The profile has a display name and an email address. */
  isProfileComplete: boolean;
  isEmailVerified: boolean;
  /** Kinds of sign-in method linked (password, wallet, Google, Apple); two wallets are one kind. */
  signInKinds: number;
  hasProject: boolean;
  /** Calls recorded with the developer's keys; an aggregated row counts once. */
  calls: number;
  /** UTC days with at least one recorded call. */
  daysWithCalls: number;
}

/** One row of the table: its title, its raw points, how often it counts at most, and how often it was done. */
export interface Reward {
  title: string;
  points: number;
  most: number;
  times: (activity: Activity) => number;
}

const callsPerReward = 1_000;
/** The maximum number of days that are counted. */
export const daysCounted = 60;

/** What earns experience, in raw points; 100 are shown as 1 XP. */
export const rewards: readonly Reward[] = [
  {
    title: 'Display name and email added',
    points: 5_000,
    most: 1,
    times: ({ isProfileComplete }) => Number(isProfileComplete),
  },
  {
    title: 'Email confirmed',
    points: 2_500,
    most: 1,
    times: ({ isEmailVerified }) => Number(isEmailVerified),
  },
  {
    title: 'Each additional type of sign-in method',
    points: 2_500,
    most: 3,
    times: ({ signInKinds }) => signInKinds - 1,
  },
  { title: 'First project', points: 5_000, most: 1, times: ({ hasProject }) => Number(hasProject) },
  { title: 'First call', points: 5_000, most: 1, times: ({ calls }) => calls },
  { title: 'Each 1,000 calls', points: 1_000, most: 100, times: ({ calls }) => calls / callsPerReward },
  {
    title: 'Each day with calls',
    points: 500,
    most: daysCounted,
    times: ({ daysWithCalls }) => daysWithCalls,
  },
];

/** A rank, the raw points it requires, and the path of its badge. */
export interface Rank {
  rank: string;
  from: number;
  rankImage: string;
}

/** Shown if a rank or its image is unknown. */
export const defaultRank = 'Observer';
export const defaultRankImage = '/ranks/default.svg';

/** Every rank, lowest first. */
export const ranks: readonly [Rank, ...Rank[]] = [
  { rank: defaultRank, from: 0, rankImage: '/ranks/observer.svg' },
  { rank: 'Builder', from: 10_000, rankImage: '/ranks/builder.svg' },
  { rank: 'Integrator', from: 25_000, rankImage: '/ranks/integrator.svg' },
  { rank: 'Operator', from: 60_000, rankImage: '/ranks/operator.svg' },
  { rank: 'Pioneer', from: 120_000, rankImage: '/ranks/pioneer.svg' },
];

/** The raw experience points of an activity: each row of the table as often as it was done, up to its maximum. */
export function experiencePointsOf(activity: Activity): number {
  return rewards.reduce((sum, { points, most, times }) => {
    const counted = Math.min(most, Math.max(0, Math.trunc(times(activity))));
    return sum + points * counted;
  }, 0);
}

/** The rank that raw points give, and the one after it; `next` is `null` at the highest. */
export function rankAt(experiencePoints: number): { current: Rank; next: Rank | null } {
  const above = ranks.findIndex(({ from }) => from > experiencePoints);
  const current = ranks[above === -1 ? ranks.length - 1 : Math.max(0, above - 1)] ?? ranks[0];
  return { current, next: above === -1 ? null : (ranks[Math.max(1, above)] ?? null) };
}

const pointsPerXp = 100;

/** `12,345` raw points as `123 XP`: divided by 100 and truncated. */
export const experienceText = (experiencePoints: number): string =>
  `${Math.trunc(experiencePoints / pointsPerXp)} XP`;

/** The XP missing for a rank: the difference between the two figures that the page shows. */
export const experienceMissing = (experiencePoints: number, { from }: Rank): string =>
  experienceText(from - Math.trunc(experiencePoints / pointsPerXp) * pointsPerXp);

/** How far raw points have come from their rank to the next, from 0 to 1; 1 at the highest. */
export function rankProgress(experiencePoints: number): number {
  const { current, next } = rankAt(experiencePoints);
  if (next === null) return 1;
  return Math.max(0, Math.min(1, (experiencePoints - current.from) / (next.from - current.from)));
}
