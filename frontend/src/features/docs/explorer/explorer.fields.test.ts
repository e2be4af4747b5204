import { describe, expect, test } from '@jest/globals';
import type { MeteredRouteId } from '@orange-id/contract/metered.paths';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bodyOf, endpointGroups, problemsOf, routeOf, startOf } from './explorer.fields';

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  parameters?: { name: string; in: string; required: boolean; description: string; example: unknown }[];
  requestBody?: { content: { 'application/json': { example: unknown } } };
}

const document = JSON.parse(readFileSync(join(__dirname, '../../../../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const documented = Object.entries(document.paths).flatMap(([path, byMethod]) =>
  Object.entries(byMethod)
    .filter(([, { operationId }]) => operationId.startsWith('Metered.'))
    .map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
);
const offered = endpointGroups.flatMap(({ ids }) => ids);
const checksummed = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

test('wallet balance is alone in the first group, and every other endpoint is in the second', () => {
  expect(endpointGroups.map(({ ids }) => ids)).toEqual([
    ['walletBalance'],
    [
      ...['walletTransactions', 'walletMessage', 'walletConnect', 'tokens', 'addToken', 'token'],
      ...['gameData', 'saveGameData', 'addScore', 'leaderboard', 'key'],
    ],
  ]);
});

test('the explorer offers exactly the metered calls of the OpenAPI document, with their parameters and bodies', () => {
  const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
  const inExplorer = offered.map((id) => {
    const { method, path, title, description, parameters } = routeOf(id);
    return {
      id,
      method,
      path,
      title,
      description,
      // In OpenAPI a header named Authorization is a security scheme.
      parameters: parameters
        .filter((parameter) => parameter.in !== 'header')
        .map(({ name, in: place, required, description: about, example }) => ({
          name,
          in: place,
          required,
          description: about,
          example,
        })),
      body: bodyOf(id, startOf(id)) ?? null,
    };
  });
  const inDocument = documented.map((operation) => ({
    id: operation.operationId.replace('Metered.', ''),
    method: operation.method,
    path: operation.path,
    title: operation.summary,
    description: operation.description,
    parameters: (operation.parameters ?? []).map(({ name, in: place, required, description, example }) => ({
      name,
      in: place,
      required,
      description,
      example: String(example),
    })),
    body: operation.requestBody?.content['application/json'].example ?? null,
  }));
  expect(inExplorer.sort(byId)).toEqual(inDocument.sort(byId));
});

test('every endpoint can be called without any typing: required parameters, addresses and bodies start with an example', () => {
  expect(offered.map((id) => problemsOf(id, startOf(id), 'oid_key'))).toEqual(offered.map(() => ({})));
  expect(startOf('walletBalance').parameters).toEqual({
    address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  });
  expect(startOf('token').parameters['id']).toMatch(/^0x/);
});

describe('the problems of a call', () => {
  const of = (id: MeteredRouteId, parameters: Record<string, string>) =>
    problemsOf(id, { ...startOf(id), parameters }, 'oid_key');

  test.each([
    [checksummed, undefined],
    [checksummed.toLowerCase(), undefined],
    [`0x${checksummed.slice(2).toUpperCase()}`, undefined],
    [checksummed.replace('dA6', 'Da6'), 'Address is invalid.'],
    [checksummed.slice(0, -1), 'Address is invalid.'],
    [`${checksummed}0`, 'Address is invalid.'],
    [checksummed.slice(2), 'Address is invalid.'],
    ['vitalik.eth', 'Address is invalid.'],
  ])('the address %j has the problem %j', (address, problem) =>
    expect(of('walletBalance', { address })['address']).toBe(problem),
  );

  test.each([
    ['1', undefined],
    ['20', undefined],
    ['0', 'Must be a whole number from 1 to 20.'],
    ['21', 'Must be a whole number from 1 to 20.'],
    ['1.5', 'Must be a whole number from 1 to 20.'],
    ['-1', 'Must be a whole number from 1 to 20.'],
    ['1e1', 'Must be a whole number from 1 to 20.'],
    ['x', 'Must be a whole number from 1 to 20.'],
  ])('the number of blocks %j has the problem %j', (blocks, problem) =>
    expect(of('walletTransactions', { blocks })['blocks']).toBe(problem),
  );

  test('name only the minimum of a number without a maximum', () => {
    expect(of('walletTransactions', { cursor: '-1' })).toEqual({ cursor: 'Must be a whole number from 0.' });
  });

  test('name an empty required parameter, but not an empty optional one', () => {
    expect(of('walletMessage', {})).toEqual({ address: 'This parameter is required.' });
    expect(of('walletBalance', {})).toEqual({});
  });

  test.each([
    ['', 'A body is required.'],
    [' \n', 'A body is required.'],
    ['{"address": }', expect.stringMatching(/^The body isn’t valid JSON: /)],
    ['null', undefined],
    ['{"anything": "the server checks it"}', undefined],
  ])('the body %j has the problem %j', (body, problem) => {
    const draft = { parameters: {}, body };
    expect(problemsOf('addToken', draft, 'oid_key')['body']).toEqual(problem);
    if (problem !== undefined) expect(bodyOf('addToken', draft)).toBeUndefined();
  });

  test.each(['oid_a b', 'oid_\n', 'oid_é', 'ключ'])('%j can’t be sent as a key', (key) => {
    expect(problemsOf('key', startOf('key'), key)).toEqual({
      apiKey: 'This isn’t an API key. Paste the key without spaces or other text.',
    });
  });
});
