import { expect, test } from '@jest/globals';
import { createKey } from './keys.schema.js';

const verdictOf = (body: unknown) => {
  const parsed = createKey.safeParse(body);
  return parsed.success ? parsed.data.name : parsed.error.issues[0]?.message;
};

test.each([
  [{ name: 'Server' }, 'Server'],
  [{ name: '  Server  ' }, 'Server'],
  [{ name: 'a'.repeat(50) }, 'a'.repeat(50)],
  [{ name: ` ${'a'.repeat(50)} ` }, 'a'.repeat(50)],
  [{ name: '' }, 'Name is required'],
  [{ name: '   ' }, 'Name is required'],
  [{}, 'Name is required'],
  [{ name: null }, 'Name is required'],
  [{ name: 7 }, 'Name is required'],
  [{ name: 'a'.repeat(51) }, 'Name must be less than 50 characters'],
  [{ name: 'a\u0000b' }, 'Name must not contain invisible or control characters'],
  [{ name: 'a\u202eb' }, 'Name must not contain invisible or control characters'],
])('the body %j gives %s', (body, verdict) => {
  expect(verdictOf(body)).toBe(verdict);
});

test.each(['userId', 'key', 'isActive', 'id', '__proto__x'])('%s in the body is refused', (field) => {
  expect(verdictOf({ name: 'Server', [field]: 'x' })).toBe(`Unrecognized key: "${field}"`);
});
