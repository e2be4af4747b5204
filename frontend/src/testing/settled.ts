/** Resolves once every promise that is settled now, and what follows from it, has reached its awaiters. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
