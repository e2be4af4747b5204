/** Control characters, bidi overrides and isolates, zero-width and other invisible formatting characters. */
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

export const hasInvisibleCharacters = (text: string): boolean => invisible.test(text);

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
