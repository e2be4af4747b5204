import { describe, expect, test } from '@jest/globals';
import { type MeteredRoute, meteredRoutes } from './metered.routes.js';
import { z } from 'zod';

const routes = Object.entries(meteredRoutes) as [string, MeteredRoute][];
const { walletBalance } = meteredRoutes;

describe('metered routes', () => {
  test.each(routes)('the 200 sample of %s matches its schema', (_, route) => {
    const sample = route.samples.find(({ statusCode }) => statusCode === 200);
    expect(route.response.safeParse(sample?.body)).toMatchObject({ success: true });
  });

  test.each(routes)(
    'the example body of %s matches its schema, and a route without a body has none',
    (_, route) => {
      expect(route.body === undefined).toBe(route.bodyExample === undefined);
      expect(route.body === undefined || route.body.safeParse(route.bodyExample).success).toBe(true);
      const fields = route.body instanceof z.ZodObject ? Object.keys(route.body.shape) : undefined;
      expect(route.bodyFields?.map(({ name }) => name)).toEqual(fields);
    },
  );

  test.each(routes)('%s documents a 401, and its descriptions are sentences', (_, route) => {
    expect(route.samples.map(({ statusCode }) => statusCode)).toContain(401);
    for (const text of [route.description, ...route.parameters.map(({ description }) => description)]) {
      expect(text).toMatch(/^[A-Z][^']*\.$/s);
    }
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
