import type { Project } from '@orange-id/contract/projects.schema';

/**
 * Chooses the project that the page shows: the one named in the address or, if the address names none, the one shown
 * before, else the first. A project that was renamed while it was shown is still found by its old name in the address.
 * `gone` is the project shown before, if it is no longer in the list and the address names no other.
 */
export function chooseProject(
  projects: readonly Project[],
  name: string | null,
  before: Project | null,
): { selected: Project | undefined; gone: Project | null } {
  const named = projects.find(({ projectName }) => projectName === name);
  if (named) return { selected: named, gone: null };
  const isStillSelected = before !== null && (name === null || name === before.projectName);
  if (!isStillSelected) return { selected: name === null ? projects[0] : undefined, gone: null };
  const same = projects.find(({ code }) => code === before.code);
  return { selected: same, gone: same ? null : before };
}
