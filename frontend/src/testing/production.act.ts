import { flushSync } from 'react-dom';
import { rendered } from './turn.channel';

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value;

/** `act` for React's production build, which has none. Renders what the callback changes before it returns. */
export function act(callback: () => unknown): PromiseLike<void> | void {
  let result: unknown;
  flushSync(() => {
    result = callback();
  });
  if (!isPromise(result)) return;
  return result.then(async () => {
    flushSync(() => undefined);
    await rendered();
  });
}
