import type { Project } from '@orange-id/contract/projects.schema';

/**
 * Which project the panel shows: the one named in the address, else the one it showed already, else the first.
 * `gone` is the one it showed, where it is in the list no longer and nothing else was asked for.
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
