import Fastify from 'fastify';
import { ready } from './ready.mjs';

/** A bare Fastify 'hello' with a response schema, like Fastify's own benchmarks. */
const app = Fastify({ logger: false });
const schema = {
  response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } },
};
app.get('/', { schema }, (_request, reply) => reply.send({ hello: 'world' }));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
ready();
