import type { NewUrlRefusal } from '@orange-id/contract/whitelist.rule';
import { z } from 'zod';
import type { DialogProject } from './dialog.errors';

const urlDraft = z.object({ urlText: z.string(), pending: z.array(z.string()) });
/** Unsaved input for a project. */
export type UrlDraft = z.infer<typeof urlDraft>;
/** Drafts by project code. */
export const urlDrafts = z.record(z.string(), urlDraft);

export interface UrlAddition {
  project: DialogProject;
  /** Normalised. */
  urls: string[];
}

export interface AddUrlsContext {
  project: DialogProject | null;
  /** The project's current allowed URLs. */
  urls: readonly string[];
  urlText: string;
  /** URLs that saving adds, normalised. */
  pending: string[];
  refusal: NewUrlRefusal | null;
  /** The last added URL after normalisation; `null` if that didn't change it. */
  normalized: string | null;
  failure: unknown;
}

export type AddUrlsEvent =
  /** Restores the project's draft. */
  | { type: 'dialog.open'; project: DialogProject; urls: readonly string[]; draft: UrlDraft | null }
  /** Keeps the input for the next time. */
  | { type: 'dialog.close' }
  | { type: 'url.change'; text: string }
  | { type: 'url.add' }
  | { type: 'url.remove'; url: string }
  | { type: 'urls.save' }
  | { type: 'whitelist.change'; urls: readonly string[] }
  | { type: 'project.vanish' };

export type AddUrlsNotice =
  | { type: 'url.added'; url: string; isNormalized: boolean }
  | { type: 'url.refused'; code: NewUrlRefusal; text: string }
  | { type: 'urls.saved' }
  | { type: 'saving.failed'; error: unknown };
