import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Storages that a test file has used. Node 20 keeps each in a list until it is disabled, and walks that list for every
 * new promise. Jest's runner makes one for each test file and never disables it.
 */
const used = new Set();

for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...values) {
    used.add(this);
    return original.apply(this, values);
  };
}

/** Called at the end of a test file. */
export function disableStorages() {
  for (const storage of used) storage.disable();
  used.clear();
}
