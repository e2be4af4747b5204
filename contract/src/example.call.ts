import type { Call } from './call.snippets.js';
import type { MeteredPath } from './metered.paths.js';

/**
 * A call that works as it is, with a key of any kind: the examples of its required parameters and of its address, and
 * its body.
 */
export function exampleCall({ parameters, bodyExample }: MeteredPath): Omit<Call, 'baseUrl'> {
  const used = parameters.filter(({ required, type }) => required || type === 'address');
  return {
    parameters: Object.fromEntries(used.map(({ name, example }) => [name, example])),
    ...(bodyExample === undefined ? {} : { body: bodyExample }),
  };
}
