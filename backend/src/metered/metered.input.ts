import type { MeteredParameter } from '@orange-id/contract/metered.paths';
import type { MeteredRoute } from '@orange-id/contract/metered.routes';
import { parseAddress } from '../chain/address.rule.js';
import { PortalError } from '../http/portal.error.js';
import { givenNote, readRequest } from '../http/request.issues.js';
import { holdsApiKey } from './misplaced.key.js';

/** A request's query, path parameters and body, as Fastify parsed them. */
export interface RawInput {
  query: unknown;
  params: unknown;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
}

export interface CheckedInput {
  parameters: Record<string, string | number>;
  body: unknown;
}

/**
 * Returns the function that checks the input of a route: it drops empty parameters, parses addresses and numbers, and
 * throws `request.invalid` or `wallet.addressInvalid` with the parameter, what is allowed and what was sent.
 */
export function inputCheckOf(route: MeteredRoute): (raw: RawInput) => CheckedInput {
  const byName = new Map(route.parameters.map((parameter) => [parameter.name, parameter]));
  const inQuery = route.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const inHeaders = route.parameters.filter((parameter) => parameter.in === 'header');
  return ({ query, params, headers, body }) => {
    const parameters: CheckedInput['parameters'] = {};
    for (const [name, value] of Object.entries(query as Record<string, string | string[]>)) {
      const parameter = byName.get(name);
      if (parameter?.in !== 'query') {
        const isKey = [name, ...[value].flat()].some(holdsApiKey);
        const shown = holdsApiKey(name) ? 'query' : name;
        throw badInput(shown, `isn’t a parameter of ${route.path}${takes(inQuery)}${isKey ? keyOnly : ''}`);
      }
      if (typeof value !== 'string') throw badInput(name, 'must be given once');
      if (holdsApiKey(value)) throw badInput(name, `contains an API key${keyOnly}`);
      if (value !== '') parameters[name] = valueOf(parameter, value);
    }
    for (const [name, value] of Object.entries(params as Record<string, string>)) {
      const parameter = byName.get(name);
      if (parameter?.in === 'path' && value !== '') parameters[name] = valueOf(parameter, value);
    }
    for (const { name } of inHeaders) {
      const value = headers[name.toLowerCase()];
      if (typeof value === 'string') parameters[name] = value;
      else throw new PortalError('game.playerRequired');
    }
    for (const { name, required } of route.parameters) {
      if (required && parameters[name] === undefined) throw badInput(name, 'is required');
    }
    return {
      parameters,
      body: route.body === undefined ? undefined : readRequest(route.body, body, 'body'),
    };
  };
}

function valueOf(parameter: MeteredParameter, text: string): string | number {
  const { name, type } = parameter;
  if (type === 'address') return parseAddress(text, name);
  if (type === 'text') {
    const { values = [text] } = parameter;
    if (values.includes(text)) return text;
    throw badInput(name, `must be ${values.join(' or ')}`, text);
  }
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = parameter;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (value >= minimum && value <= maximum) return value;
  throw badInput(name, `must be a whole number from ${minimum} to ${maximum}`, text);
}

const keyOnly = '. Send the key only in the X-API-Key header';

/** What a route takes, as the end of a sentence. */
const takes = (names: readonly string[]): string =>
  names.length === 0 ? ', which takes none' : `, which takes ${names.join(', ')}`;

function badInput(name: string, problem: string, given?: string): PortalError {
  const shown = name.slice(0, 100);
  return new PortalError('request.invalid', {
    message: `${shown}: ${problem}${givenNote(given)}`,
    details: [
      { path: shown, message: problem, ...(given === undefined ? {} : { given: given.slice(0, 60) }) },
    ],
  });
}
