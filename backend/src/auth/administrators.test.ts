import { expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { Administrators } from './administrators.js';

const person = { id: 'user-1', email: 'ada@xn--bcher-kva.example', emailVerified: true, ethAddress: null };

test('an administrator is named by an international email as it is typed, and only once it is confirmed', async () => {
  const environment = { ADMINISTRATORS: ['Ada@Bücher.example'] } as Environment;
  const administrators = new Administrators(environment, { query: async () => [] } as unknown as DataSource);
  expect(await administrators.has(person)).toBe(true);
  expect(await administrators.has({ ...person, emailVerified: false })).toBe(false);
  expect(await administrators.has({ ...person, email: 'ada@bucher.example' })).toBe(false);
});
