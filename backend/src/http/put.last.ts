/** Puts an entry last in a map, and removes the first one if there are more than `most`: the least recently put. */
export function putLast<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > most ? map.keys().next() : undefined;
  if (oldest && !oldest.done) map.delete(oldest.value);
}
