import { decodeJwt } from 'jose';
import { createHash, randomBytes } from 'node:crypto';
import type { TestApp } from './test.app.js';

/**
 * The headers of a browser in which the owner of this access token signed in `secondsAgo` seconds ago: stores its
 * session in the database as the callback page does.
 */
export async function inBrowserOf(
  portal: Pick<TestApp, 'db' | 'environment'>,
  token: string,
  secondsAgo = 0,
): Promise<{ cookie: string }> {
  const { sub, sid: sessionId } = decodeJwt<{ sid: string }>(token);
  const value = randomBytes(32).toString('base64url');
  const sid = createHash('sha256').update(value).digest('hex');
  await portal.db.query(
    `insert into sessions (sid, sess, expire)
     select $1, jsonb_build_object(
         'flows', '{}'::jsonb, 'userId', $2::text,
         'sessionId', $3::text, 'provenAtMs', extract(epoch from now() - make_interval(secs => $4)) * 1000
       ), now() + interval '1 hour'`,
    [sid, sub, sessionId, secondsAgo],
  );
  const isHttps = portal.environment.PUBLIC_URL.startsWith('https:');
  return { cookie: `${isHttps ? '__Host-' : ''}portal_session=${value}` };
}
