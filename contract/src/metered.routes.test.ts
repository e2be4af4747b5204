import { describe, expect, test } from '@jest/globals';
import { type MeteredRoute, meteredRoutes } from './metered.routes.js';

const routes = Object.entries(meteredRoutes) as [string, MeteredRoute][];
const { walletBalance } = meteredRoutes;

describe('metered routes', () => {
  test.each(routes)('the 200 sample of %s matches its schema', (_, route) => {
    const sample = route.samples.find(({ statusCode }) => statusCode === 200);
    expect(route.response.safeParse(sample?.body)).toMatchObject({ success: true });
  });

  test('the samples of the balance have address, balance, currency and usd_value', () => {
    expect(Object.keys(walletBalance.samples[0].body)).toEqual([
      'address',
      'balance',
      'currency',
      'usd_value',
    ]);
    expect(walletBalance.samples[1]).toMatchObject({ statusCode: 401, body: { message: 'Invalid API key' } });
  });
});
