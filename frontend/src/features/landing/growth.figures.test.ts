import { describe, expect, test } from '@jest/globals';
import { growthFor, platforms, regions, shortNumber } from './growth.figures';

const all = { region: null, platform: null };

describe('the example analytics', () => {
  test('show 12.4K users, 89% and 2.3s without a filter', () => {
    expect(growthFor(all)).toMatchObject({ users: '12.4K', completed: '89%', seconds: '2.3s' });
  });

  test('have parts that add up to the total in every month, by region and by platform', () => {
    const whole = growthFor(all).series;
    const byRegion = regions.map((region) => growthFor({ ...all, region }).series);
    const byPlatform = platforms.map((platform) => growthFor({ ...all, platform }).series);
    for (const parts of [byRegion, byPlatform]) {
      expect(whole.map((_, month) => parts.reduce((sum, part) => sum + (part[month] ?? NaN), 0))).toEqual(
        whole,
      );
    }
  });

  test('show the figures of one region on one platform', () => {
    const figures = growthFor({ region: 'Europe', platform: 'iOS' });
    expect(figures).toMatchObject({ users: '900', change: '+12%', completed: '93%', seconds: '1.8s' });
    expect(figures.series.at(0)).toBe(117);
  });

  test('change with every filter, and show growth in each', () => {
    const seen = new Set<string>();
    for (const region of [null, ...regions]) {
      for (const platform of [null, ...platforms]) {
        const figures = growthFor({ region, platform });
        seen.add(JSON.stringify(figures));
        expect(figures.series).toEqual([...figures.series].sort((a, b) => a - b));
      }
    }
    expect(seen.size).toBe(16);
  });
});

test('a number is shortened from 1000 on', () => {
  expect([0, 999, 1000, 12_400].map(shortNumber)).toEqual(['0', '999', '1.0K', '12.4K']);
});
