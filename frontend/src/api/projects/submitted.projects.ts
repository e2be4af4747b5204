import { submittedProject, type SubmittedProject } from '@orange-id/contract/projects.schema';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { parseJson } from './json.text';

type ListStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** The projects created in this browser. Invalid entries are skipped, so that a damaged list never breaks a page. */
export function readSubmittedProjects(storage: ListStorage = window.localStorage): SubmittedProject[] {
  const stored = parseJson(storage.getItem(storageKeys.submittedProjects) ?? '[]');
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry) => {
    const parsed = submittedProject.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Adds an entry, or replaces the one with the same id. */
export function storeSubmittedProject(
  entry: SubmittedProject,
  storage: ListStorage = window.localStorage,
): void {
  const others = readSubmittedProjects(storage).filter(({ id }) => id !== entry.id);
  storage.setItem(storageKeys.submittedProjects, JSON.stringify([...others, entry]));
}

/** Stores the integration method that the owner chose; does nothing for a project created in another browser. */
export const storeIntegrationMethod = (id: string, integrationMethod: string, storage?: ListStorage): void =>
  changeSubmittedProject(id, { integrationMethod }, storage);

/** Stores the new name of a project; does nothing for a project created in another browser. */
export const renameSubmittedProject = (id: string, name: string, storage?: ListStorage): void =>
  changeSubmittedProject(id, { name }, storage);

function changeSubmittedProject(
  id: string,
  change: Partial<SubmittedProject>,
  storage: ListStorage = window.localStorage,
): void {
  const entry = readSubmittedProjects(storage).find((candidate) => candidate.id === id);
  if (entry) storeSubmittedProject({ ...entry, ...change }, storage);
}

export function removeSubmittedProject(id: string, storage: ListStorage = window.localStorage): void {
  const entries = readSubmittedProjects(storage);
  const others = entries.filter((entry) => entry.id !== id);
  if (others.length < entries.length) storage.setItem(storageKeys.submittedProjects, JSON.stringify(others));
}
