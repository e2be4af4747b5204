import { describe, expect, test } from '@jest/globals';
import { unusedKey as key } from '@orange-id/contract/saved.key.fixture';
import { requireDocumented } from './documented.answer.js';

const error = { statusCode: 401, message: 'Not authenticated', error: 'Unauthorized', code: 'auth.required' };

const check =
  (address: string, status: number, body: unknown, type = 'application/json; charset=utf-8') =>
  () =>
    requireDocumented('GET', address, { status, headers: new Headers({ 'content-type': type }), body });

describe('a response in a test', () => {
  test.each<[string, () => void]>([
    ['has the documented body', check('/api/keys', 200, [key])],
    ['is a documented error', check('/api/keys?x=1', 401, error)],
    ['comes from an address that is not documented', check('/projects', 200, '<html>', 'text/html')],
    ['has a parameter in its path', check('/pictures/a.webp', 404, { ...error, statusCode: 404 })],
  ])('passes if it %s', (_, run) => {
    expect(run).not.toThrow();
  });

  test.each<[string, () => void, RegExp]>([
    ['misses a field', check('/api/keys', 200, [{ ...key, name: undefined }]), /expected string.+name/s],
    ['has a field too many', check('/api/keys', 200, [{ ...key, hash: 'secret' }]), /hash/],
    ['is an error without a code', check('/api/keys', 401, { ...error, code: undefined }), /code/],
    ['has an unlisted status', check('/api/keys', 206, [key]), /does not list the status/],
    ['has another type', check('/api/keys', 200, '<html>', 'text/html'), /its type is text\/html/],
  ])('fails the test if it %s', (_, run, message) => {
    expect(run).toThrow(message);
  });
});
