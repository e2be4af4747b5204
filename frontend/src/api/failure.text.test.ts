import { expect, test } from '@jest/globals';
import { errorTable } from '@orange-id/contract/error.codes';
import { failureText } from './failure.text';
import { HttpError } from './http';

const answered = (status: number, body: object) => new HttpError(status, JSON.stringify(body));
const unavailable = 'The service is unavailable right now. Try again in a minute.';
const wentWrong = 'Something went wrong on the server. Try again in a minute.';

test.each([
  [answered(409, { message: 'Another account uses this email' }), '409: Another account uses this email'],
  [new HttpError(404, '<html>', 'Not Found'), '404: <html>'],
  [new HttpError(404, '', 'Not Found'), '404: Not Found'],
  [answered(503, { statusCode: 503, message: 'Service unavailable' }), unavailable],
  [new HttpError(502, '<html>', 'Bad Gateway'), unavailable],
  [new HttpError(504, '', 'Gateway Timeout'), unavailable],
  [new HttpError(500, 'broken'), wentWrong],
  [answered(500, { code: 'server.failed', message: errorTable['server.failed'].message }), wentWrong],
  [
    answered(503, { code: 'database.unavailable', message: errorTable['database.unavailable'].message }),
    'The database can’t be reached. Try again later.',
  ],
  [answered(503, { code: 'database.unavailable' }), unavailable],
  [new TypeError('Failed to fetch'), 'The server couldn’t be reached. Check your connection and try again.'],
  [new Error('Request timeout'), 'Request timeout'],
  ['no error at all', 'no error at all'],
])('%s reads as %j', (error, text) => {
  expect(failureText(error)).toBe(text);
});
