/**
 * Control characters, bidi overrides and isolates, zero-width and other invisible formatting characters, halves of
 * surrogate pairs (which no database stores), and the letters that show as nothing (Hangul fillers, blank Braille).
 */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0\u2800]/u;

export const hasInvisibleCharacters = (text: string): boolean => invisible.test(text);

/** Controls other than tab and line break, bidi overrides and isolates, halves of surrogate pairs: never in long text. */
const controls = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

export const hasControlCharacters = (text: string): boolean => controls.test(text);

/** The form in which one-line text is stored: NFKC, trimmed, inner runs of white space as one space. */
export const tidyLine = (text: string): string => text.normalize('NFKC').trim().replace(/\s+/gu, ' ');

/** The form in which names are compared for uniqueness. */
export const nameKey = (text: string): string => tidyLine(text).toLowerCase();

export type NameRefusal = 'required' | 'tooLong' | 'invisible';
export type NameVerdict = { ok: true; name: string } | { ok: false; code: NameRefusal };

/** Checks a name of one line, at most `max` characters (code points) after tidying. */
export function checkName(input: string, max: number): NameVerdict {
  const name = tidyLine(input);
  if (name === '') return { ok: false, code: 'required' };
  if (hasInvisibleCharacters(name)) return { ok: false, code: 'invisible' };
  if ([...name].length > max) return { ok: false, code: 'tooLong' };
  return { ok: true, name };
}
