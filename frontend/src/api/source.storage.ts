import { createProject } from '@orange-id/contract/projects.schema';
import { storageKeys } from '@orange-id/contract/storage.keys';

type SourceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Remembers the `source` of a query string such as `?source=docs` for the next project. Without one, nothing
 * changes; nor with one the project service would refuse, since that would make every creation fail.
 */
export function rememberSource(search: string, storage: SourceStorage = window.localStorage): void {
  const source = new URLSearchParams(search).get('source')?.trim();
  if (source && createProject.shape.source.safeParse(source).success)
    storage.setItem(storageKeys.source, source);
}

/**
 * Brings a visitor who came to the wizard without a source back to it after the sign-in, which goes there for a remembered
 * source alone.
 */
export function rememberArrival(storage: SourceStorage = window.localStorage): void {
  if (readSource(storage) === null) storage.setItem(storageKeys.source, 'orange-id');
}

/** The remembered source, `null` when there is none. */
export const readSource = (storage: SourceStorage = window.localStorage): string | null =>
  storage.getItem(storageKeys.source) || null;

export function clearSource(storage: SourceStorage = window.localStorage): void {
  storage.removeItem(storageKeys.source);
}
