import type { Call } from './call.snippets.js';
import type { MeteredPath } from './metered.paths.js';

/**
 * A call that works unchanged with a key of any kind: it has the examples of the required parameters and of addresses,
 * and the example body.
 */
export function exampleCall({ parameters, bodyExample }: MeteredPath): Omit<Call, 'baseUrl'> {
  const used = parameters.filter(({ required, type }) => required || type === 'address');
  return {
    parameters: Object.fromEntries(used.map(({ name, example }) => [name, example])),
    ...(bodyExample === undefined ? {} : { body: bodyExample }),
  };
}
