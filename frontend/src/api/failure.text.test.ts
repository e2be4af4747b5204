import { expect, test } from '@jest/globals';
import { errorTable, type ErrorCode } from '@orange-id/contract/error.codes';
import { failureText } from './failure.text';
import { HttpError } from './http';

const answered = (status: number, body: object) => new HttpError(status, JSON.stringify(body));
const portal = (code: ErrorCode) =>
  answered(errorTable[code].status, { code, message: errorTable[code].message });
const unavailable = 'The service is unavailable right now. Try again in a minute.';
const wentWrong = 'Something went wrong on the server. Try again in a minute.';

test.each([
  [
    'a refusal',
    answered(409, { message: 'Another account uses this email' }),
    'Another account uses this email.',
  ],
  ['a refusal without a message', new HttpError(404, '<html>', 'Not Found'), '404: <html>'],
  ['a refusal without a body', new HttpError(404, '', 'Not Found'), '404: Not Found'],
  ['a 503 from a proxy', answered(503, { statusCode: 503, message: 'Service unavailable' }), unavailable],
  ['a 502 from a proxy', new HttpError(502, '<html>', 'Bad Gateway'), unavailable],
  ['a 504 without a body', new HttpError(504, '', 'Gateway Timeout'), unavailable],
  ['a 500 from a proxy', new HttpError(500, 'broken'), wentWrong],
  ['a failure of the portal itself', portal('server.failed'), wentWrong],
  [
    'a failure with the id of its request',
    answered(500, { code: 'server.failed', message: 'Something went wrong', requestId: 'a1b2-3' }),
    `${wentWrong} If it happens again, report it with this id: a1b2-3`,
  ],
  [
    'a 503 with a message of the portal',
    portal('database.unavailable'),
    'The database can’t be reached. Try again later.',
  ],
  ['a code without a message', answered(503, { code: 'database.unavailable' }), unavailable],
  [
    'a network failure',
    new TypeError('Failed to fetch'),
    'The server couldn’t be reached. Check your connection and try again.',
  ],
  ['any other error', new Error('Request timeout'), 'Request timeout'],
  ['a thrown value that is not an Error', 'no error at all', 'no error at all'],
])('%s is shown as a readable sentence', (_what, error, text) => {
  expect(failureText(error)).toBe(text);
});
