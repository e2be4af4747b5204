import type { Project } from '@orange-id/contract/projects.schema';

/**
 * Chooses the project that the page shows: the one named in the address, else the one shown before, else the first. The
 * address names the one shown before by its old name if it was renamed since. `gone` is the one shown before, if it is
 * no longer in the list and the address names no other.
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
