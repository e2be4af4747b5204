import { checkNewUrl, type NewUrlVerdict, type SuffixCheck } from '@orange-id/contract/whitelist.rule';

let isPublicSuffix: SuffixCheck | undefined;

/** Loads the list of public suffixes once a text has a wildcard; the list is larger than the pages that need it. */
export async function prepareFor(text: string): Promise<void> {
  if (!text.includes('*') || isPublicSuffix) return;
  try {
    ({ isPublicSuffix } = await import('@orange-id/contract/public.suffix'));
  } catch {
    // The server checks again.
  }
}

/**
 * `checkNewUrl` with the list of public suffixes. Until the list has loaded, a wildcard below a public suffix passes, and
 * the server refuses it.
 */
export const checkUrl = (text: string, urls: readonly string[]): NewUrlVerdict =>
  checkNewUrl(text, urls, isPublicSuffix);
