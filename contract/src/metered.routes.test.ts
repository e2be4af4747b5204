import { describe, expect, test } from '@jest/globals';
import { type MeteredRoute, meteredRoutes } from './metered.routes.js';

const routes = Object.entries(meteredRoutes) as [string, MeteredRoute][];
const { walletBalance } = meteredRoutes;

describe('metered routes', () => {
  test('the table lists every metered route', () => {
    expect(routes.map(([, route]) => `${route.method} ${route.path}`).sort()).toEqual([
      'GET /api/v1/key',
      'GET /api/v1/wallet/balance',
    ]);
  });

  test.each(routes)('%s: its id is its name, and its 200 sample matches its schema', (name, route) => {
    expect(route.id).toBe(name);
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
