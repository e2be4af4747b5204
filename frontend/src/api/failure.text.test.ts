import { expect, test } from '@jest/globals';
import { failureText } from './failure.text';
import { HttpError } from './http';

test.each([
  [
    new HttpError(503, JSON.stringify({ statusCode: 503, message: 'The database is not reachable' })),
    '503: The database is not reachable',
  ],
  [new HttpError(502, '<html>', 'Bad Gateway'), '502: <html>'],
  [new HttpError(504, '', 'Gateway Timeout'), '504: Gateway Timeout'],
  [new TypeError('Failed to fetch'), 'The server couldn’t be reached. Check your connection and try again.'],
  [new Error('Request timeout'), 'Request timeout'],
  ['no error at all', 'no error at all'],
])('%s reads as %j', (error, text) => {
  expect(failureText(error)).toBe(text);
});
