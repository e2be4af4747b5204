import type { Appearance } from '@orange-id/contract/appearance';
import { appearance } from '@orange-id/contract/appearance.schema';

const nameOf = (code: string): string => `customisation.draft:${code}`;
const lastName = 'customisation.project';

/** The unsaved look of a project, which this tab keeps over a reload; `null` without one. */
export function readDraft(code: string): Appearance | null {
  try {
    return appearance.safeParse(JSON.parse(sessionStorage.getItem(nameOf(code)) ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}

export function writeDraft(code: string, look: Appearance | null): void {
  try {
    if (look === null) sessionStorage.removeItem(nameOf(code));
    else sessionStorage.setItem(nameOf(code), JSON.stringify(look));
  } catch {
    // Without storage only a reload loses the draft, and leaving the page asks first.
  }
}

/** The project that was customised last in this browser. */
export function readLastProject(): string | null {
  try {
    return localStorage.getItem(lastName);
  } catch {
    return null;
  }
}

export function writeLastProject(code: string): void {
  try {
    localStorage.setItem(lastName, code);
  } catch {
    // The page then opens the first project.
  }
}
