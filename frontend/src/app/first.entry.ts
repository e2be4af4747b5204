/**
 * Gives a document's first history entry its own key. The router would name every such entry `default`, so a page
 * opened by its URL would restore the scroll position of an earlier one. Reload and Back find the key again.
 */
export function nameFirstEntry(history: Pick<History, 'state' | 'replaceState'>): void {
  const state = history.state as { key?: string } | null;
  if (!state?.key) history.replaceState({ ...state, key: Math.random().toString(36).slice(2, 10) }, '');
}
