import { limits } from '@orange-id/contract/limits';
import { surplusPart, type NewUrlRefusal, type SurplusRefusal } from '@orange-id/contract/whitelist.rule';

const reasons: Record<SurplusRefusal, string> = {
  port: 'it isn’t a valid port. An allowed URL covers every port of its host.',
  credentials: 'an allowed URL can’t include a username or password.',
};
const shownMaxCharacters = 60;

const isSurplus = (code: NewUrlRefusal): code is SurplusRefusal => code in reasons;

const titles: Partial<Record<NewUrlRefusal, string>> = {
  required: 'URL Required',
  duplicate: 'Duplicate URL',
  tooMany: 'Too Many URLs',
};

/** The toast title for a refused URL. */
export const urlTitle = (code: NewUrlRefusal): string => titles[code] ?? 'Invalid URL';

/** The sentences that each screen words itself. */
type ScreenTexts = Record<'unparseable' | 'duplicate', string>;

const sentences: Record<Exclude<NewUrlRefusal, SurplusRefusal | keyof ScreenTexts>, string> = {
  required: 'Please enter a URL to whitelist.',
  protocol: 'URL must use HTTP or HTTPS protocol (e.g., https://example.com)',
  tooShort: 'Please enter a valid domain name (e.g., https://example.com)',
  notPublic: 'Please enter a valid domain name (e.g., https://example.com)',
  wildcardPlace: 'Use a wildcard only as the whole first part (e.g., https://*.preview.example.com)',
  wildcardSuffix:
    'Anyone can register names there. Put the wildcard below a domain of yours (e.g., https://*.preview.example.com)',
  local: 'Localhost URLs are not allowed for production projects',
  tooMany: `A project can have at most ${limits.whitelistUrlsPerProject} URLs.`,
};

/** What helps beyond the sentence of a refused URL; `null` for nothing. */
export const urlAdvice = (code: NewUrlRefusal): string | null =>
  code === 'local' || code === 'notPublic'
    ? 'Localhost is always allowed while you develop, so leave it out. Private, loopback and IPv6 addresses are not supported.'
    : null;

/** Why a URL was refused, given the two sentences that differ between screens. */
export const urlSentenceOf =
  (words: ScreenTexts) =>
  (code: NewUrlRefusal, text: string): string => {
    if (!isSurplus(code)) return { ...sentences, ...words }[code];
    const part = surplusPart(code, text);
    const shown = part.length > shownMaxCharacters ? `${part.slice(0, shownMaxCharacters)}…` : part;
    return `Remove “${shown}”: ${reasons[code]}`;
  };
