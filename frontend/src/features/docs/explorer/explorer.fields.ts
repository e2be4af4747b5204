import { exampleCall } from '@orange-id/contract/example.call';
import {
  meteredPaths,
  type MeteredParameter,
  type MeteredPath,
  type MeteredRouteId,
} from '@orange-id/contract/metered.paths';
import { isAddress } from 'viem/utils';
import { isExactJson } from './json.text';

/** The endpoint that is selected first. */
export const firstEndpoint: MeteredRouteId = 'walletBalance';

const ids = Object.keys(meteredPaths) as MeteredRouteId[];

/** The endpoints to choose from. */
export const endpointGroups: readonly { label: string; ids: readonly MeteredRouteId[] }[] = [
  { label: 'Get started', ids: [firstEndpoint] },
  { label: 'More endpoints', ids: ids.filter((id) => id !== firstEndpoint) },
];

/** What the developer fills in for one endpoint; `body` is text, which may not be JSON yet. */
export interface CallDraft {
  parameters: Readonly<Record<string, string>>;
  body: string;
}

/** Why a call can't be sent as it is filled in, by parameter; `body` and `apiKey` stand for the body and the key. */
export type CallProblems = Readonly<Record<string, string>>;

export const routeOf = (id: MeteredRouteId): MeteredPath => meteredPaths[id];

/** The first draft for an endpoint: it can be called at once with a key of any kind. */
export function startOf(id: MeteredRouteId): CallDraft {
  const { parameters, bodyExample } = routeOf(id);
  const { parameters: examples = {} } = exampleCall(routeOf(id));
  return {
    parameters: Object.fromEntries(parameters.map(({ name }) => [name, examples[name] ?? ''])),
    body: bodyExample === undefined ? '' : JSON.stringify(bodyExample, null, 2),
  };
}

/** Every problem of a call, by the rules of the server and the OpenAPI document. */
export function problemsOf(id: MeteredRouteId, draft: CallDraft, apiKey: string): CallProblems {
  const { parameters, bodyExample } = routeOf(id);
  const found = parameters.map((parameter) => [
    parameter.name,
    parameterProblem(parameter, draft.parameters[parameter.name] ?? ''),
  ]);
  // A key has no other characters, and `fetch` throws for some of them in a header.
  if (/[^\x21-\x7e]/.test(apiKey))
    found.push(['apiKey', 'This isn’t an API key. Paste the key without spaces or other text.']);
  if (bodyExample !== undefined) found.push(['body', bodyProblem(draft.body)]);
  return Object.fromEntries(found.filter(([, problem]) => problem !== null)) as CallProblems;
}

function parameterProblem(parameter: MeteredParameter, text: string): string | null {
  const { type, required, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = parameter;
  if (text === '') return required ? 'This parameter is required.' : null;
  if (type === 'address') return isCallableAddress(text) ? null : 'Address is invalid.';
  if (type === 'text') return null;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (value >= minimum && value <= maximum) return null;
  return parameter.maximum === undefined
    ? `Must be a whole number from ${minimum}.`
    : `Must be a whole number from ${minimum} to ${maximum}.`;
}

/** 20 bytes in hexadecimal: all lower case, all upper case, or with the correct checksum (EIP-55). */
function isCallableAddress(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || isAddress(text);
}

function bodyProblem(text: string): string | null {
  if (text.trim() === '') return 'A body is required.';
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `The body isn’t valid JSON: ${(error as SyntaxError).message}`;
  }
}

/** The body as typed, if writing it again would change it. */
export const inexactBody = ({ body }: CallDraft): string | undefined =>
  bodyProblem(body) !== null || isExactJson(body) ? undefined : body;

/** The body to send; `undefined` for an endpoint without one, and for a text that isn't JSON. */
export function bodyOf(id: MeteredRouteId, { body }: CallDraft): unknown {
  return routeOf(id).bodyExample === undefined || bodyProblem(body) !== null
    ? undefined
    : (JSON.parse(body) as unknown);
}
