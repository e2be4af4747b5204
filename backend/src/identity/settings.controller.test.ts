import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signUp } from '../testing/sign.up.js';
import { makeTenant, pageOf } from '../testing/tenant.page.js';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { widgetVersion } from './settings.controller.js';

describe('settings of the identity service', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  test('GET /api/v1/settings/version names this portal’s widget, with any subscription key', async () => {
    const answer = await portal.call('GET', '/api/v1/settings/version', {
      headers: { 'Ocp-Apim-Subscription-Key': 'DEMO_BEDROCK_PASSPORT_KEY' },
    });
    expect(answer.status).toBe(200);
    const { PUBLIC_URL } = portal.environment;
    expect(answer.body).toEqual({
      cdnUrl: `${PUBLIC_URL}/widget/passport.js`,
      cssUrl: `${PUBLIC_URL}/widget/passport.css`,
      currentVersion: '0.1.0',
      betaCdnUrl: `${PUBLIC_URL}/widget/passport.js`,
      betaCssUrl: `${PUBLIC_URL}/widget/passport.css`,
      betaVersion: '0.1.0',
    });
  });

  test('apps also get the sign-in methods of this portal', async () => {
    const { code } = await makeTenant(portal, ['https://app.example.com']);
    const answer = await pageOf(portal, 'https://app.example.com', code).call(
      'GET',
      '/api/v1/settings/version',
    );
    expect(answer.body.methods).toEqual(['email', 'wallet', 'google', 'apple']);
  });

  test('the version is that of the packages', () => {
    const file = join(__dirname, '..', '..', 'package.json');
    expect(widgetVersion).toBe((JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version);
  });

  test('GET /api/v1/auth/widget returns the line under the login widget', async () => {
    const answer = await portal.call('GET', '/api/v1/auth/widget');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ text: 'Powered by Orange ID', url: 'https://bedrockpassport.com' });
  });

  test('GET /.well-known/jwks.json verifies a token and contains no private key', async () => {
    const answer = await portal.call('GET', '/.well-known/jwks.json');
    expect(answer.status).toBe(200);
    expect(answer.body.keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        alg: 'ES256',
        use: 'sig',
        kid: expect.any(String),
        x: expect.any(String),
        y: expect.any(String),
      },
    ]);
    const { token, userId } = await signUp(portal);
    const { payload } = await jwtVerify(token, createLocalJWKSet(answer.body), { algorithms: ['ES256'] });
    expect(payload.sub).toBe(userId);
  });
});
