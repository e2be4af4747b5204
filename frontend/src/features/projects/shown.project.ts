import type { Project } from '@orange-id/contract/projects.schema';

/**
 * Chooses the project that the page shows: the one named in the address, else the one shown before, else the first.
 * `gone` is the one shown before, if it is no longer in the list and the address names no other.
 */
export function chooseProject(
  projects: readonly Project[],
  name: string | null,
  before: Project | null,
): { selected: Project | undefined; gone: Project | null } {
  const same = before && projects.find(({ code }) => code === before.code);
  const isStillMeant = before !== null && (name === null || name === before.projectName);
  if (name !== null) {
    const named = projects.find(({ projectName }) => projectName === name);
    return { selected: named, gone: named === undefined && isStillMeant ? before : null };
  }
  if (before && !same) return { selected: undefined, gone: before };
  return { selected: same ?? projects[0], gone: null };
}
