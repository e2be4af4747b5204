import { storageKeys } from '@orange-id/contract/storage.keys';

type SourceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The longest `source` the project service takes; a longer one would make every creation fail. */
const maxCharacters = 200;

/** Remembers the `source` of a query string such as `?source=docs` for the next project (spec §2); without one, nothing changes. */
export function rememberSource(search: string, storage: SourceStorage = window.localStorage): void {
  const source = new URLSearchParams(search).get('source')?.trim();
  if (source && source.length <= maxCharacters) storage.setItem(storageKeys.source, source);
}

/** The remembered source, `null` when there is none. */
export const readSource = (storage: SourceStorage = window.localStorage): string | null =>
  storage.getItem(storageKeys.source) || null;

export function clearSource(storage: SourceStorage = window.localStorage): void {
  storage.removeItem(storageKeys.source);
}
