/**
 * Gives the history entry that a document begins with a key of its own. The router would call each of them `default`, and
 * a page whose address was typed would open where the one before was scrolled to. Reload and Back find the key again.
 */
export function nameFirstEntry(history: Pick<History, 'state' | 'replaceState'>): void {
  const state = history.state as { key?: string } | null;
  if (!state?.key) history.replaceState({ ...state, key: Math.random().toString(36).slice(2, 10) }, '');
}
