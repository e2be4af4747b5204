import { apiKey } from '@better-auth/api-key';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import Fastify from 'fastify';
import pg from 'pg';
import { ready } from './ready.mjs';

/**
 * better-auth's check of an API key on PostgreSQL, behind the same bare Fastify. Its own rate limit is off, because
 * it would refuse the load; everything else has its defaults. It looks up the key and stores when it was last used.
 */
const { host, port, user, database } = JSON.parse(process.env.DATABASE);
const options = {
  database: new pg.Pool({ host, port, user, database, max: 10 }),
  secret: process.env.SECRET,
  baseURL: `http://127.0.0.1:${process.env.PORT}`,
  emailAndPassword: { enabled: true },
  telemetry: { enabled: false },
  plugins: [apiKey({ rateLimit: { enabled: false } })],
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);

const keys = [];
for (let owner = 0; owner < Number(process.env.OWNERS); owner++) {
  const body = { name: 'Bench', email: `bench-${owner}@example.test`, password: `bench-password-${owner}` };
  const { user: account } = await auth.api.signUpEmail({ body });
  for (let i = 0; i < Number(process.env.KEYS_PER_OWNER); i++) {
    keys.push((await auth.api.createApiKey({ body: { userId: account.id } })).key);
  }
}

const app = Fastify({ logger: false });
app.get('/', async (request, reply) => {
  const { valid } = await auth.api.verifyApiKey({ body: { key: request.headers['x-api-key'] } });
  if (!valid) return reply.code(401).send({ hello: 'nobody' });
  return { hello: 'world' };
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
ready({ keys });
