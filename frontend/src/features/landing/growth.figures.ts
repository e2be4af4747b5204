/** Example data for the landing page's analytics: invented, and labelled as such wherever it shows. */

export const regions = ['Americas', 'Europe', 'Asia Pacific'] as const;
export const platforms = ['Web', 'iOS', 'Android'] as const;
export const months = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
] as const;

type Region = (typeof regions)[number];
type Platform = (typeof platforms)[number];

/** `null` means all. */
export interface GrowthFilter {
  region: Region | null;
  platform: Platform | null;
}

/** Users in the last month. */
const users: Record<Region, Record<Platform, number>> = {
  Americas: { Web: 2300, iOS: 1500, Android: 700 },
  Europe: { Web: 2100, iOS: 900, Android: 900 },
  'Asia Pacific': { Web: 1400, iOS: 700, Android: 1900 },
};

/** Users of each month, in percent of the last month. */
const curves: Record<Region, readonly number[]> = {
  Americas: [22, 26, 31, 36, 42, 48, 55, 62, 71, 80, 90, 100],
  Europe: [13, 17, 21, 27, 34, 41, 49, 58, 68, 78, 89, 100],
  'Asia Pacific': [6, 8, 11, 16, 22, 29, 37, 47, 59, 72, 86, 100],
};

/** The percentage of started sign-ins that are completed, and the time of a sign-in in tenths of a second. */
const byPlatform: Record<Platform, { completed: number; tenths: number }> = {
  Web: { completed: 87, tenths: 26 },
  iOS: { completed: 93, tenths: 18 },
  Android: { completed: 88, tenths: 23 },
};
const byRegion: Record<Region, { completed: number; tenths: number }> = {
  Americas: { completed: 1, tenths: -2 },
  Europe: { completed: 0, tenths: 0 },
  'Asia Pacific': { completed: -1, tenths: 2 },
};

export interface GrowthFigures {
  /** Users of each month, first to last. */
  series: number[];
  users: string;
  /** The growth from the previous to the last month. */
  change: string;
  completed: string;
  seconds: string;
}

/** The figures for a filter, computed only from the chosen regions and platforms. */
export function growthFor({ region, platform }: GrowthFilter): GrowthFigures {
  const chosen = regions
    .filter((name) => region === null || name === region)
    .flatMap((name) =>
      platforms
        .filter((other) => platform === null || other === platform)
        .map((other) => ({ region: name, platform: other, users: users[name][other] })),
    );
  const series = months.map((_, month) =>
    sum(chosen.map((cell) => Math.round((cell.users * (curves[cell.region][month] ?? 0)) / 100))),
  );
  const [before = 0, now = 0] = series.slice(-2);
  const average = (of: 'completed' | 'tenths') =>
    sum(chosen.map((cell) => cell.users * (byPlatform[cell.platform][of] + byRegion[cell.region][of]))) / now;
  return {
    series,
    users: shortNumber(now),
    change: `+${Math.round(((now - before) / before) * 100)}%`,
    completed: `${Math.round(average('completed'))}%`,
    seconds: `${(average('tenths') / 10).toFixed(1)}s`,
  };
}

/** 12400 as 12.4K; unchanged below a thousand. */
export const shortNumber = (count: number): string =>
  count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}K`;

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
