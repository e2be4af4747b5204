import { existsSync } from 'node:fs';
import { createRemoteJWKSet, jwtVerify } from 'jose';

if (existsSync('.env')) process.loadEnvFile('.env');

const { VITE_PORTAL_URL: portal, VITE_PROJECT_ID: projectId, APP_ORIGINS = '' } = process.env;
if (!portal || !projectId) throw new Error('Set VITE_PORTAL_URL and VITE_PROJECT_ID in .env');

const origins = APP_ORIGINS.split(',');
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', portal));

/**
 * The claims of an access token. Throws unless the portal issued it for this project, on one of its origins.
 *
 * @param {string} token
 */
export async function verify(token) {
  const { payload } = await jwtVerify(token, keys, {
    algorithms: ['ES256'],
    issuer: portal,
    audience: projectId,
    requiredClaims: ['exp', 'sub', 'azp'],
  });
  if (!origins.includes(String(payload.azp))) throw new Error(`APP_ORIGINS doesn’t list ${payload.azp}`);
  return payload;
}

/**
 * Answers `GET /api/me` with what a valid access token says about its user.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
export async function handle(request, response) {
  const answer = (/** @type {number} */ status, /** @type {object} */ body) =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      .end(JSON.stringify(body));
  if (request.url !== '/api/me') return answer(404, { message: 'Not found' });
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  try {
    const { sub, name, email } = await verify(token);
    answer(200, { id: sub, name, email });
  } catch (error) {
    answer(401, { message: error instanceof Error ? error.message : 'Invalid token' });
  }
}
