import type { NewUrlRefusal } from '@orange-id/contract/whitelist.rule';
import { z } from 'zod';
import type { DialogProject } from './dialog.errors';

const urlDraft = z.object({ urlText: z.string(), pending: z.array(z.string()) });
/** What somebody has put together for a project and not yet saved. */
export type UrlDraft = z.infer<typeof urlDraft>;
/** By the codes of the projects. */
export const urlDrafts = z.record(z.string(), urlDraft);

export interface UrlAddition {
  project: DialogProject;
  /** In normal form. */
  urls: string[];
}

export interface AddUrlsContext {
  project: DialogProject | null;
  /** The project's whitelist as it stands. */
  urls: readonly string[];
  urlText: string;
  /** What will be added by saving, in normal form. */
  pending: string[];
  refusal: NewUrlRefusal | null;
  /** The form the URL taken last was brought into, where that changed it. */
  normalized: string | null;
  failure: unknown;
}

export type AddUrlsEvent =
  /** A draft of the project is taken up again. */
  | { type: 'dialog.open'; project: DialogProject; urls: readonly string[]; draft: UrlDraft | null }
  /** What was put together stays for the next time. */
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
