import { limits } from './limits.js';
import { checkWhitelistUrl } from './whitelist.rule.js';

/** The origin that browsers send for pages without one: sandboxed frames, `data:` pages and local files. */
export const opaqueOrigin = 'null';

export type OtherOriginRefusal =
  'required' | 'page' | 'extensionId' | 'unsupported' | 'duplicate' | 'tooMany';

export type OtherOriginVerdict = { ok: true; origin: string } | { ok: false; code: OtherOriginRefusal };

const extension =
  /^((?:chrome-extension:\/\/[a-p]{32})|(?:(?:moz|safari-web)-extension:\/\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))(?:\/.*)?$/;

/**
 * Decides whether `input` may join the other origins of a project, and in which form: `null`, or the origin of a browser
 * extension, whose path is dropped. Pages are allowed by their URL; no other scheme can be allowed.
 */
export function checkOtherOrigin(input: string, existing: readonly string[] = []): OtherOriginVerdict {
  const text = input.trim().toLowerCase();
  if (text === '') return refuse('required');
  if (/^https?:/.test(text)) return refuse('page');
  const origin = text === opaqueOrigin ? text : extension.exec(text)?.[1];
  if (origin === undefined)
    return refuse(/^(chrome|moz|safari-web)-extension:/.test(text) ? 'extensionId' : 'unsupported');
  if (existing.includes(origin)) return refuse('duplicate');
  if (existing.length >= limits.otherOriginsPerProject) return refuse('tooMany');
  return { ok: true, origin };
}

/** Where the owner of a project can allow an origin, as usage stores it; null if nowhere. */
export function placeToAllow(origin: string): 'urls' | 'others' | null {
  if (checkOtherOrigin(origin).ok) return 'others';
  return !origin.includes('*') && checkWhitelistUrl(origin).ok ? 'urls' : null;
}

const refuse = (code: OtherOriginRefusal): OtherOriginVerdict => ({ ok: false, code });
