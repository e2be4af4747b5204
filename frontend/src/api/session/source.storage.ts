import { createProject } from '@orange-id/contract/projects.schema';
import { storageKeys } from '@orange-id/contract/storage.keys';

type SourceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Stores the `source` of a query string such as `?source=docs` for the next project. Ignores a missing source, and one
 * that the project service would refuse, because that would make every project creation fail.
 */
export function rememberSource(search: string, storage: SourceStorage = window.localStorage): void {
  const source = new URLSearchParams(search).get('source')?.trim();
  if (source && createProject.shape.source.safeParse(source).success)
    storage.setItem(storageKeys.source, source);
}

/**
 * Stores a source for a visitor who opens the wizard without one: after sign-in, only users with a stored source return
 * to the wizard.
 */
export function rememberArrival(storage: SourceStorage = window.localStorage): void {
  if (readSource(storage) === null) storage.setItem(storageKeys.source, 'orange-id');
}

/** The stored source; `null` if there is none. */
export const readSource = (storage: SourceStorage = window.localStorage): string | null =>
  storage.getItem(storageKeys.source) || null;

export function clearSource(storage: SourceStorage = window.localStorage): void {
  storage.removeItem(storageKeys.source);
}
