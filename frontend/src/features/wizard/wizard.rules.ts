import { limits } from '@orange-id/contract/limits';
import type { profileGaps } from '@orange-id/contract/profile.rule';
import { checkName, type NameVerdict } from '@orange-id/contract/text.rule';
import {
  checkWhitelistUrl,
  type WhitelistRefusal,
  type WhitelistVerdict,
} from '@orange-id/contract/whitelist.rule';

export type UrlRefusal = WhitelistRefusal | 'tooMany';
export type UrlVerdict = Extract<WhitelistVerdict, { ok: true }> | { ok: false; code: UrlRefusal };
export type Profile = Parameters<typeof profileGaps>[0];

/** Checks the name of a project to be (spec §5). */
export const projectNameVerdict = (name: string): NameVerdict =>
  checkName(name, limits.projectNameMaxCharacters);

/** Checks one more URL for the list, and that the list still has room for it (spec §5). */
export function newUrlVerdict(text: string, urls: readonly string[]): UrlVerdict {
  const verdict = checkWhitelistUrl(text, urls);
  return verdict.ok && urls.length >= limits.whitelistUrlsPerProject
    ? { ok: false, code: 'tooMany' }
    : verdict;
}
