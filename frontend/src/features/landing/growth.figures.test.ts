import { describe, expect, test } from '@jest/globals';
import { growthFor, platforms, regions, shortNumber } from './growth.figures';

const all = { region: null, platform: null };

describe('the example dashboard', () => {
  test('shows 12.4K users, 89% and 2.3s when nothing is filtered', () => {
    expect(growthFor(all)).toMatchObject({ users: '12.4K', completed: '89%', seconds: '2.3s' });
  });

  test('the parts add up to the whole in every month, by region and by platform', () => {
    const whole = growthFor(all).series;
    const byRegion = regions.map((region) => growthFor({ ...all, region }).series);
    const byPlatform = platforms.map((platform) => growthFor({ ...all, platform }).series);
    for (const parts of [byRegion, byPlatform]) {
      expect(whole.map((_, month) => parts.reduce((sum, part) => sum + (part[month] ?? NaN), 0))).toEqual(
        whole,
      );
    }
  });

  test('one region on one platform', () => {
    const figures = growthFor({ region: 'Europe', platform: 'iOS' });
    expect(figures).toMatchObject({ users: '900', change: '+12%', completed: '93%', seconds: '1.8s' });
    expect(figures.series.at(0)).toBe(117);
  });

  test('every filter changes the figures, and users grow in each', () => {
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

test('short numbers', () => {
  expect([0, 999, 1000, 12_400].map(shortNumber)).toEqual(['0', '999', '1.0K', '12.4K']);
});
