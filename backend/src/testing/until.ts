/**
 * Waits until `condition` returns a truthy value and returns it; throws with `what` if that takes longer than
 * `withinMs`. Polls every few ms: the wait ends with the condition, not after a fixed time.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = 10_000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
