import { expect, test } from '@jest/globals';
import { isClearedAtSignOut } from './storage.keys.js';

test.each([
  'accessToken',
  'refreshToken',
  'passport-token',
  'passport-user',
  'passport-last-recommended-version',
  'passport-state',
  'passport-config',
  'passport-session',
  'passport-anything-later',
  'bedrock-anything',
  'wagmi.store',
  'wagmi.recentConnectorId',
  '@appkit/connection_status',
  'cbwsdk.store',
  'cbwsdk.store:anything',
])('signing out removes %s', (key) => {
  expect(isClearedAtSignOut(key)).toBe(true);
});

test.each([
  'source',
  'submittedProjects',
  'passport',
  'passporttoken',
  'bedrock',
  'wagmi',
  '@appkit',
  'cbwsdk',
  'my-passport-token',
  'accessTokens',
  'AccessToken',
  'myaccessToken',
  'theme',
  'portal-sidebar',
  '',
])('%s survives signing out', (key) => {
  expect(isClearedAtSignOut(key)).toBe(false);
});
