import type { Project } from '@orange-id/contract/projects.schema';

/**
 * Chooses the project that the page shows: the one that the address names by its ID or, if no project has that ID, by
 * its name; if the address names none, the one shown before, else the first. A project that was renamed while it was
 * shown is still found by its old name in the address.
 * `gone` is the project shown before, if it is no longer in the list and the address names no other.
 */
export function chooseProject(
  projects: readonly Project[],
  wanted: string | null,
  before: Project | null,
): { selected: Project | undefined; gone: Project | null } {
  const named =
    projects.find(({ code }) => code === wanted) ??
    projects.find(({ projectName }) => projectName === wanted);
  if (named) return { selected: named, gone: null };
  const isStillSelected =
    before !== null && (wanted === null || wanted === before.code || wanted === before.projectName);
  if (!isStillSelected) return { selected: wanted === null ? projects[0] : undefined, gone: null };
  const same = projects.find(({ code }) => code === before.code);
  return { selected: same, gone: same ? null : before };
}
