import { describe, expect, test } from '@jest/globals';
import { apiKeyBytes, apiKeyFrom, isWellFormedApiKey } from '@orange-id/contract/api-key.rule';
import { randomBytes } from 'node:crypto';
import { canBeHostedKey } from '../keys/hosted-key.rule.js';
import { misplacedKey } from './misplaced.key.js';

const key = apiKeyFrom(randomBytes(apiKeyBytes));
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const around = 'X-API-Key with other characters around it, such as quotes';

describe('a key in the wrong place', () => {
  test.each<[Record<string, string>, string, string]>([
    [{ authorization: `Bearer ${key}` }, '/', 'the header authorization'],
    [{ authorization: key }, '/', 'the header authorization'],
    [{ authorization: `ApiKey "${key}"` }, '/', 'the header authorization'],
    [{ authorization: basic(`${key}:`) }, '/', 'the header authorization'],
    [{ authorization: basic(`api:${key}`) }, '/', 'the header authorization'],
    [{ 'api-key': key }, '/', 'the header api-key'],
    [{ apikey: key }, '/', 'the header apikey'],
    [{ 'x-api_key': key }, '/', 'the header x-api_key'],
    [{ 'x-auth-token': key }, '/', 'the header x-auth-token'],
    [{ cookie: `a=b; key=${key}` }, '/', 'the header cookie'],
    [{}, `/api/v1/key?api_key=${key}`, 'the query parameter api_key'],
    [{}, `/api/v1/key?a=1&X-API-Key=%22${key}%22`, 'the query parameter X-API-Key'],
    [{}, `/api/v1/key?access_token=${key}`, 'the query parameter access_token'],
    [{}, `/api/v1/key?${key}`, 'the query'],
    [{}, `/api/v1/key/${key}`, 'the path'],
    [{ 'x-api-key': `"${key}"` }, '/', around],
    [{ 'x-api-key': `'${key}'` }, '/', around],
    [{ 'x-api-key': `Bearer ${key}` }, '/', around],
    [{ 'x-api-key': `X-API-Key: ${key}` }, '/', around],
    [{ 'x-api-key': `${key}, ${key}` }, '/', around],
    [{ 'x-api-key': `<${key}>` }, '/', around],
    [{ 'x-api-key': Buffer.from(`“${key}”`).toString('latin1') }, '/', around],
    [{ 'x-api-key': 'YOUR_KEY', authorization: `Bearer ${key}` }, '/', 'the header authorization'],
  ])('is found: %j %s', (headers, url, place) => {
    expect(misplacedKey({ headers, url }, isWellFormedApiKey)).toBe(place);
    expect(place).not.toContain(key);
  });

  test.each<[Record<string, string>, string]>([
    [{}, '/api/v1/key'],
    [{ authorization: 'Bearer a.b.c', cookie: 'a=b' }, '/api/v1/key?key=1'],
    [{ referer: `https://a.example/?key=${key}` }, '/api/v1/key'],
    [{ 'api-key': 'nonsense' }, '/'],
    [{ 'x-api-key': 'nonsense' }, '/'],
    [{ 'x-api-key': key.slice(0, -1) }, '/'],
    [{}, `/api/v1/key?key=${key.slice(0, -1)}`],
  ])('is not seen where there is none: %j %s', (headers, url) => {
    expect(misplacedKey({ headers, url }, isWellFormedApiKey)).toBeNull();
  });

  test.each<[Record<string, string>, string, string | null]>([
    [{ 'api-key': 'hosted-key-1' }, '/', 'the header api-key'],
    [{ 'x-api-key': '"hosted-key-1"' }, '/', around],
    [{}, '/api/v1/key?apikey=hosted-key-1', 'the query parameter apikey'],
    [{ authorization: 'Bearer a.b.c' }, '/api/v1/key?blocks=10000000', null],
  ])('of a hosted project service is found by the name of its place: %j %s', (headers, url, place) => {
    expect(misplacedKey({ headers, url }, canBeHostedKey)).toBe(place);
  });
});
