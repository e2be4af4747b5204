import { describe, expect, test } from '@jest/globals';
import fastify from 'fastify';
import { BodyBudget } from './body.budget.js';
import { PortalError } from './portal.error.js';
import { readForm } from './form.body.js';
import { readJsonBodies } from './json.body.js';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

async function server() {
  const app = fastify();
  app.setErrorHandler((error, _request, reply) => {
    const { statusCode, message } = error as PortalError;
    return reply.status(statusCode).send({ message });
  });
  readJsonBodies(app, new BodyBudget());
  app.post('/form', { config: { readsForms: true } }, (request) => ({ read: request.body }));
  app.post('/plain', (request) => ({ read: request.body }));
  await app.ready();
  return app;
}

describe('form bodies', () => {
  test('are accepted on marked routes, beside JSON', async () => {
    const app = await server();
    const answer = await app.inject({
      method: 'POST',
      url: '/form',
      headers: form,
      payload: 'a=1+2&b=%26%C3%A9',
    });
    expect(answer.json()).toEqual({ read: { a: '1 2', b: '&é' } });
    const json = await app.inject({ method: 'POST', url: '/form', payload: { a: 1 } });
    expect(json.json()).toEqual({ read: { a: 1 } });
  });

  test('return 415 on routes that are not marked', async () => {
    const app = await server();
    const answer = await app.inject({ method: 'POST', url: '/plain', headers: form, payload: 'a=1' });
    expect(answer.statusCode).toBe(415);
    expect(answer.json().message).toBe(
      'A body of type application/x-www-form-urlencoded isn’t accepted here. Send JSON with Content-Type: application/json',
    );
  });

  test('return 413 above 16 KiB', async () => {
    const app = await server();
    const payload = `a=${'x'.repeat(16_384)}`;
    expect((await app.inject({ method: 'POST', url: '/form', headers: form, payload })).statusCode).toBe(413);
  });

  test.each([['a=1&a=2'], ['__proto__=x'], ['a=1&%61=2']])('return 400 with %s', async (payload) => {
    const app = await server();
    const answer = await app.inject({ method: 'POST', url: '/form', headers: form, payload });
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      'The form repeats a field or has one called __proto__. Send each field once',
    ]);
    expect(() => readForm(payload)).toThrow(PortalError);
  });
});
