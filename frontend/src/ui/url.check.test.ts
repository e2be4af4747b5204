import { expect, test } from '@jest/globals';
import { checkUrl, prepareFor } from './url.check';

test('once its list has loaded, a wildcard below a public suffix is refused as on the server', async () => {
  await prepareFor('https://example.com');
  // The list isn't loaded for a text without a wildcard; the server would refuse this one.
  expect(checkUrl('https://*.github.io', [])).toMatchObject({ ok: true });
  await prepareFor('https://*.github.io');
  expect(checkUrl('https://*.github.io', [])).toEqual({ ok: false, code: 'wildcardSuffix' });
  expect(checkUrl('https://*.preview.example.com', [])).toMatchObject({ ok: true });
});
