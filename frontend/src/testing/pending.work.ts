/** A promise that a test settles; `answer` and `refuse` resolve after its awaiters have run. */
export function pendingWork<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onDone, onError) => {
    resolve = onDone;
    reject = onError;
  });
  const heard = async () => {
    await promise.catch(() => undefined);
    for (let turns = 0; turns < 5; turns++) await Promise.resolve();
  };
  return {
    promise,
    answer: (value: T) => (resolve(value), heard()),
    refuse: (error: unknown) => (reject(error), heard()),
  };
}
