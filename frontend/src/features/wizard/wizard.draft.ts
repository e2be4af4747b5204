import { z } from 'zod';

const wizardDraft = z.object({
  step: z.enum(['naming', 'addingUrls']),
  projectName: z.string(),
  urlText: z.string(),
  urls: z.array(z.string()),
});
/** What somebody has typed into the wizard and not yet sent. */
export type WizardDraft = z.infer<typeof wizardDraft>;

const storedDraft = z.object({ userId: z.string(), draft: wizardDraft });
const storageKey = 'wizardDraft';

export const emptyDraft: WizardDraft = { step: 'naming', projectName: '', urlText: '', urls: [] };

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Reads this user's draft of this tab; anything unreadable, or somebody else's, counts as none. */
export function readDraft(userId: string, storage: DraftStorage = sessionStorage): WizardDraft {
  const text = storage.getItem(storageKey);
  if (text === null) return emptyDraft;
  const parsed = storedDraft.safeParse(parseJson(text));
  return parsed.success && parsed.data.userId === userId ? parsed.data.draft : emptyDraft;
}

/** Keeps the draft for this tab, so that a visit to Settings or a reload loses nothing typed. */
export function storeDraft(userId: string, draft: WizardDraft, storage: DraftStorage = sessionStorage): void {
  try {
    storage.setItem(storageKey, JSON.stringify({ userId, draft }));
  } catch (error) {
    // A draft too large to keep stays in the page; no rule would let it become a project anyway.
    if (!(error instanceof DOMException)) throw error;
    storage.removeItem(storageKey);
  }
}

export function clearDraft(storage: DraftStorage = sessionStorage): void {
  storage.removeItem(storageKey);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
