import { expect, test } from '@jest/globals';
import { callbackAddress, linkAddress, providerAddress, webAddress } from './identity.addresses';

const settings = {
  baseUrl: 'https://id.example.com',
  authCallbackUrl: 'https://app.example.com/auth/callback',
};

test('the sign-in URL of a provider has the bare callback URL as its state', () => {
  expect(
    providerAddress(
      { ...settings, tenantId: 'orange-abcdefghij', subscriptionKey: 'k&y' },
      'GOOGLE',
      'value-1',
    ),
  ).toBe(
    'https://id.example.com/api/v1/auth/GOOGLE?state=https://app.example.com/auth/callback&tenantId=orange-abcdefghij&subscription-key=k%26y&tab=value-1',
  );
  expect(providerAddress(settings, 'APPLE', 'value-1')).toBe(
    'https://id.example.com/api/v1/auth/APPLE?state=https://app.example.com/auth/callback&subscription-key=DEMO_BEDROCK_PASSPORT_KEY&tab=value-1',
  );
});

test('the URL that links a provider contains the access token', () => {
  expect(linkAddress({ ...settings, tenantId: 'orange-abcdefghij' }, 'APPLE', 'a.b+c', 'value-1')).toBe(
    'https://id.example.com/api/v1/auth/identifier/APPLE?state=https://app.example.com/auth/callback&token=a.b%2Bc&tenantId=orange-abcdefghij&subscription-key=DEMO_BEDROCK_PASSPORT_KEY&tab=value-1',
  );
});

test('the callback URL encodes both tokens and contains the value of the tab', () => {
  const tokens = { accessToken: 'a.b+c/=', refreshToken: 'r&x=#?' };
  const address = callbackAddress(settings.authCallbackUrl, tokens, 'value-1');
  expect(address).toBe(
    'https://app.example.com/auth/callback?token=a.b%2Bc%2F%3D&refreshToken=r%26x%3D%23%3F&tab=value-1',
  );
  const query = new URL(address).searchParams;
  expect([query.get('token'), query.get('refreshToken')]).toEqual(['a.b+c/=', 'r&x=#?']);
});

test('the callback URL keeps an existing query', () => {
  const tokens = { accessToken: 'a', refreshToken: 'r' };
  const address = callbackAddress('https://app.example.com/cb?app=1', tokens, 'value-1');
  expect(address).toBe('https://app.example.com/cb?app=1&token=a&refreshToken=r&tab=value-1');
});

test('the widget links only to http and https URLs', () => {
  expect(webAddress('https://example.com/a')).toBe('https://example.com/a');
  for (const text of ['javascript:alert(1)', 'data:text/html,x', '//example.com', 'example.com', '']) {
    expect(webAddress(text)).toBeNull();
  }
});
