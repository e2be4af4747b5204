import { expect, test } from '@jest/globals';
import { endpointText, isOriginWord, originLabel, originSentence, outcomeOf, statusText } from './call.text';

test.each([
  ...([
    [200, 'OK'],
    [201, 'Created'],
    [204, 'No Content'],
    [304, 'Not Modified'],
  ] as const),
  ...([
    [400, 'Bad Request'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
  ] as const),
  ...([
    [405, 'Method Not Allowed'],
    [409, 'Conflict'],
    [413, 'Payload Too Large'],
  ] as const),
  ...([
    [418, 'Client Error'],
    [422, 'Unprocessable Content'],
    [429, 'Too Many Requests'],
  ] as const),
  ...([
    [500, 'Internal Server Error'],
    [502, 'Bad Gateway'],
    [503, 'Service Unavailable'],
  ] as const),
  ...([
    [504, 'Gateway Timeout'],
    [599, 'Server Error'],
  ] as const),
])('the status %i is shown as %s', (status, text) => {
  expect(statusText(status)).toBe(text);
});

test.each([
  ['ok', 200, { tone: 'neutral', word: 'OK' }],
  ['error', 404, { tone: 'amber', word: 'Not Found' }],
  ['error', 503, { tone: 'red', word: 'Service Unavailable' }],
  ['blocked', 403, { tone: 'blocked', word: 'Blocked' }],
  ['limited', 429, { tone: 'amber', word: 'Rate limited' }],
  ['revoked', 401, { tone: 'amber', word: 'Revoked key' }],
  ['overQuota', 429, { tone: 'amber', word: 'Over quota' }],
] as const)(
  'a call with the outcome %s and status %s shows its tone and text',
  (outcome, statusCode, shown) => {
    expect(outcomeOf({ outcome, statusCode })).toEqual(shown);
  },
);

test.each([
  [{ endpoint: '/api/v1/key' }, '/api/v1/key'],
  [{ endpoint: 'unknown', path: '/api/v1/keys' }, '/api/v1/keys'],
  [{ endpoint: 'unknown' }, 'Unknown endpoint'],
])('the endpoint of a call with %j reads %s', (row, text) => expect(endpointText(row)).toBe(text));

test.each([
  [null, 'ok', 'The call had no Origin header'],
  ['local', 'ok', 'This portal, or a page on localhost'],
  ['invalid', 'blocked', 'The Origin header wasn’t a valid origin'],
  [
    'other',
    'blocked',
    'Calls from several origins: of the origins blocked in one second, only the first 5 are listed',
  ],
  ['https://one.example.org', 'ok', 'https://one.example.org'],
  ['https://one.example.org', 'blocked', 'https://one.example.org wasn’t an allowed URL at the time'],
] as const)('the origin %s of a call with the outcome %s is described as %s', (origin, outcome, sentence) => {
  expect(originSentence({ origin, outcome })).toBe(sentence);
});

test.each([
  [null, 'No origin', true],
  ['local', 'This portal or localhost', true],
  ['invalid', 'Invalid origin', true],
  ['other', 'Other origins', true],
  ['https://one.example.org', 'https://one.example.org', false],
  ['https://xn--mnchen-3ya.de', 'https://münchen.de', false],
])('the origin %s is labelled %s', (origin, label, isWord) => {
  expect([originLabel(origin), isOriginWord(origin)]).toEqual([label, isWord]);
});
