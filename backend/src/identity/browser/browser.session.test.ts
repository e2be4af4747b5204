import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { createHash } from 'node:crypto';
import { SignedUp, signUp } from '../../testing/sign.up.js';
import { startTestApp, TestApp } from '../../testing/test.app.js';

const hash = (value: string) => createHash('sha256').update(value).digest('hex');

describe('the browser session', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  const cookieOf = (headers: Headers) => {
    const line = headers.get('set-cookie') as string;
    return { line, value: /^[\w-]+=([\w-]+)/.exec(line)?.[1] as string };
  };
  const begin = (cookie?: string) =>
    portal.call('GET', `/api/v1/auth/GOOGLE?state=${portal.url}/auth/callback`, {
      headers: cookie ? { cookie: `portal_session=${cookie}` } : {},
    });
  const confirm = ({ token, refreshToken }: SignedUp, cookie?: string) =>
    portal.call('POST', '/api/auth/bedrock', {
      body: { token, refreshToken },
      headers: cookie ? { cookie: `portal_session=${cookie}` } : {},
    });
  const rowOf = async (value: string) => {
    const [row] = await portal.db.query(
      'select sess, extract(epoch from expire - now())::int as seconds from sessions where sid = $1',
      [hash(value)],
    );
    return row;
  };

  test('has a cookie with 256 random bits that scripts and other sites cannot read, and a hash in the database', async () => {
    const { line, value } = cookieOf((await begin()).headers);
    expect(line).toBe(
      `portal_session=${value}; Path=/; Max-Age=${limits.socialFlowSeconds}; HttpOnly; SameSite=Lax`,
    );
    expect(Buffer.from(value, 'base64url')).toHaveLength(32);
    expect(await rowOf(value)).toBeDefined();
    const [{ dump }] = await portal.db.query(`select string_agg(s::text, ' ') as dump from sessions s`);
    expect(dump).not.toContain(value);
  });

  test('with https its cookie is sent over https only, and no other host of the site can set it', async () => {
    const secure = await startTestApp({
      PUBLIC_URL: 'https://portal.example.com',
      GOOGLE_CLIENT_ID: 'x',
      GOOGLE_CLIENT_SECRET: 'y',
      SMTP_URL: 'smtp://127.0.0.1:9',
    });
    const signedUp = await signUp(secure);
    const { token, refreshToken } = signedUp;
    const answer = await secure.call('POST', '/api/auth/bedrock', { body: { token, refreshToken } });
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-portal_session=[\w-]+; Path=\/; .*; Secure$/);
    expect(answer.headers.get('set-cookie')).not.toContain('Domain');
    await secure.close();
  });

  test('a value from before a sign-in is useless after it, so that nobody can plant a known value', async () => {
    const { value: before } = cookieOf((await begin()).headers);
    const signedUp = await signUp(portal);
    const { value: after, line } = cookieOf((await confirm(signedUp, before)).headers);
    expect(after).not.toBe(before);
    expect(line).toContain(`Max-Age=${limits.browserSessionSeconds};`);
    expect(await rowOf(before)).toBeUndefined();
    const { sess } = await rowOf(after);
    expect(sess).toMatchObject({
      userId: signedUp.userId,
      flows: { [Object.keys(sess.flows)[0] as string]: {} },
    });
  });

  test('keeps its value if the same session is bound again, so that tabs that open together share it', async () => {
    const signedUp = await signUp(portal);
    const bind = async (cookie?: string) => {
      const { token, refreshToken } = signedUp;
      const { headers: answered } = await portal.call('PUT', '/api/auth/bedrock', {
        body: { token, refreshToken },
        headers: cookie ? { cookie: `portal_session=${cookie}` } : {},
      });
      return cookieOf(answered).value;
    };
    const value = await bind();
    await begin(value);
    expect(await Promise.all([bind(value), bind(value), bind(value)])).toEqual([value, value, value]);
    const { sess, seconds } = await rowOf(value);
    expect(Object.keys(sess.flows)).toHaveLength(1);
    expect(seconds).toBeGreaterThan(limits.browserSessionSeconds - 60);
  });

  test('an unknown or expired value opens no session and is not adopted', async () => {
    const planted = 'A'.repeat(43);
    expect(cookieOf((await begin(planted)).headers).value).not.toBe(planted);
    const { value } = cookieOf((await begin()).headers);
    await portal.db.query(`update sessions set expire = now() where sid = $1`, [hash(value)]);
    expect(cookieOf((await begin(value)).headers).value).not.toBe(value);
  });

  test('is deleted once it has expired and another one is stored; unexpired ones stay', async () => {
    const { value: stays } = cookieOf((await begin()).headers);
    for (let n = 0; n < 3; n++) {
      await portal.db.query(`insert into sessions values ($1, '{"flows":{}}', now() - interval '1 second')`, [
        hash(`old ${n}`),
      ]);
    }
    await begin();
    const [{ expired }] = await portal.db.query(
      'select count(*)::int as expired from sessions where expire <= now()',
    );
    expect(expired).toBe(0);
    expect(await rowOf(stays)).toBeDefined();
  });

  test('authorises nothing', async () => {
    const signedUp = await signUp(portal);
    const { value } = cookieOf((await confirm(signedUp)).headers);
    for (const path of ['/api/v1/auth/user', '/api/keys', '/api/v1/auth/sessions']) {
      const answer = await portal.call('GET', path, { headers: { cookie: `portal_session=${value}` } });
      expect(answer.status).toBe(401);
    }
  });

  test.each([
    'portal_session',
    'portal_session=',
    'portal_session=a b; x',
    `portal_session=${'x'.repeat(5000)}`,
    'portal_session=%00; portal_session=\u00ff',
    ';;;=;portal_session=../../x',
  ])('the invalid cookie header %p causes no error', async (cookie) => {
    const answer = await portal.call('GET', `/api/v1/auth/GOOGLE?state=${portal.url}/auth/callback`, {
      headers: { cookie },
    });
    expect(answer.status).toBe(302);
  });
});
