import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { publicConfig } from '@orange-id/contract/config.schema';
import { startTestApp, TestApp } from '../testing/test.app.js';
import { publicConfigOf } from './config.controller.js';

describe('GET /api/config', () => {
  let portal: TestApp;
  const secret = 'canary-secret-canary-secret-canary-secret';
  beforeAll(async () => {
    portal = await startTestApp({
      PORTAL_SECRET: secret,
      PORTAL_SECRET_PREVIOUS: `${secret}-old`,
      WALLETCONNECT_ID: 'wc-1',
    });
  });
  afterAll(() => portal.close());

  test('returns what the browser needs, in the contract’s shape', async () => {
    const { status, body } = await portal.call('GET', '/api/config');
    expect(status).toBe(200);
    expect(publicConfig.strict().parse(body)).toEqual(body);
    expect(body.identity).toEqual({
      baseUrl: portal.environment.PUBLIC_URL,
      callbackUrl: `${portal.environment.PUBLIC_URL}/auth/callback`,
      subscriptionKey: 'DEMO_BEDROCK_PASSPORT_KEY',
      tenantId: 'orange-0000000000',
      walletConnectId: 'wc-1',
      beta: false,
    });
    expect(body.features.mailbox).toBe(true);
  });

  test('every link has a default and comes from the configuration; by default the documentation is the portal’s own', () => {
    const { environment } = portal;
    expect(publicConfigOf(environment).links).toEqual({
      apiReference: '/api/docs',
      configurator: null,
      docs: '/docs',
      feedback: 'https://github.com/rfl-nftplatform/bedrock-passport-example/issues',
      learnMore: 'https://bedrockpassport.com',
      templateProject: null,
      reactGuide: null,
      scriptExample: null,
      gameForm: 'https://github.com/rfl-nftplatform/bedrock-passport-example/issues/new',
      gameListing: 'https://bedrockpassport.com',
      gameRepository: 'https://github.com/rfl-nftplatform',
      telegram: 'https://telegram.org',
      x: 'https://x.com',
      discord: 'https://discord.com',
      news: 'https://bedrockpassport.com',
    });
    const own = { LINK_DOCS: 'https://docs.example.com', LINK_NEWS: 'https://news.example.com' };
    expect(publicConfigOf({ ...environment, ...own }).links).toMatchObject({
      docs: own.LINK_DOCS,
      news: own.LINK_NEWS,
    });
  });

  test('names the mailbox only if emails are kept there', async () => {
    const { environment } = portal;
    const isNamed = (changes: Partial<typeof environment>) =>
      publicConfigOf({ ...environment, ...changes }).features.mailbox;
    expect(isNamed({})).toBe(true);
    expect(isNamed({ isProduction: true })).toBe(false);
    expect(isNamed({ PUBLIC_URL: 'http://portal.example.com' })).toBe(false);
    expect(isNamed({ SMTP_URL: 'smtp://mail.example.com' })).toBe(false);
    expect(isNamed({ IDENTITY_URL: 'https://id.example.com' })).toBe(false);
  });

  test('offers Google and Apple only if they can be used', async () => {
    const { environment } = portal;
    const promised = (changes: Partial<typeof environment>) => {
      const { google, apple } = publicConfigOf({ ...environment, ...changes }).features;
      return { google, apple };
    };
    const production = { isProduction: true, PUBLIC_URL: 'https://portal.example.com' };
    expect(promised({ PUBLIC_URL: 'http://localhost:3000' })).toEqual({ google: true, apple: true });
    expect(promised(production)).toEqual({ google: false, apple: false });
    expect(promised({ ...production, GOOGLE_CLIENT_ID: 'x' })).toEqual({ google: true, apple: false });
    expect(promised({ ...production, APPLE_CLIENT_ID: 'x' })).toEqual({ google: false, apple: true });
    expect(promised({ ...production, IDENTITY_URL: 'https://id.example.com' })).toEqual({
      google: true,
      apple: true,
    });
  });

  test('says whether the project service is embedded, and contains neither its address nor its key', () => {
    const { environment } = portal;
    expect(publicConfigOf(environment).features.embeddedProjects).toBe(true);
    const hosted = publicConfigOf({
      ...environment,
      PROJECT_SERVICE_URL: 'https://projects.example.com',
      PROJECT_SERVICE_KEY: 'canary-service-key',
    });
    expect(hosted.features.embeddedProjects).toBe(false);
    expect(JSON.stringify(hosted)).not.toMatch(/canary|projects\.example/);
  });

  test('contains no secret, no path and no database address', async () => {
    const { text } = await portal.call('GET', '/api/config');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(portal.environment.dataDir);
    expect(text).not.toContain(portal.address.database);
    expect(text).not.toMatch(/postgres/i);
  });
});
