import { describe, expect, test } from '@jest/globals';
import { regionOf, regionOfZone } from './region.rule.js';

describe('the region of a sign-in', () => {
  const of = (headers: Record<string, string>, query: unknown = {}, header?: string) =>
    regionOf({ headers, query }, { COUNTRY_HEADER: header });

  test.each([
    ['Europe/Berlin', 'DE'],
    ['Asia/Kolkata', 'IN'],
    ['Asia/Calcutta', 'IN'],
    ['Europe/Kyiv', 'UA'],
    ['America/Argentina/Buenos_Aires', 'AR'],
    ['Europe/Vaduz', 'LI'],
    ['US/Pacific', 'US'],
  ])('of a browser in the zone %s is %s', (zone, region) => {
    expect(of({ 'x-time-zone': zone })).toBe(region);
    expect(of({}, { timeZone: zone })).toBe(region);
  });

  test.each([
    ...['UTC', 'Etc/GMT+5', 'Mars/Olympus', '', 'x'.repeat(5000), '+02:00', "Europe/Berlin'; --"],
    ...[undefined, null, 7, ['Europe/Berlin'], { toString: () => 'Europe/Berlin' }],
  ])('is unknown for the zone %p', (zone) => {
    expect(regionOfZone(zone)).toBeUndefined();
    expect(of({}, { timeZone: zone })).toBeUndefined();
  });

  test('is what the proxy says, if the header is configured and names a country', () => {
    const headers = { 'cf-ipcountry': 'FR', 'x-time-zone': 'Europe/Berlin' };
    expect(of(headers, {}, 'cf-ipcountry')).toBe('FR');
    expect(of(headers)).toBe('DE');
    for (const country of ['XX', 'T1', 'fr', 'EU', 'ZZ', 'FR, DE', '<b>', '']) {
      expect(of({ ...headers, 'cf-ipcountry': country }, {}, 'cf-ipcountry')).toBe('DE');
    }
  });
});
