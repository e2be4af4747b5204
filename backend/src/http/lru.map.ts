/** Sets an entry of a map that keeps the `most` entries that were set last. */
export function setLru<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > most ? map.keys().next() : undefined;
  if (oldest && !oldest.done) map.delete(oldest.value);
}
