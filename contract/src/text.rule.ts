import { withoutVisibleJoiners } from './joiner.rule.js';

/**
 * Control characters, bidi overrides and isolates, zero-width and other invisible formatting characters, lone
 * surrogates (which no database stores), and invisible letters (Hangul fillers, blank Braille).
 */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0\u2800]/u;

/** Joiners within one emoji: a family, a profession, the rainbow flag. Elsewhere a joiner is invisible. */
const joiner =
  /(\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?)\u200d(?=\p{Extended_Pictographic})/gu;

/** The flags of England, Scotland and Wales: a black flag, the region in invisible tag characters, and an end. */
const regionFlag =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;

/** Only invisible characters, including those that are valid after others (variation selectors). */
const nothingShown = /^\p{Default_Ignorable_Code_Point}+$/u;

/**
 * Whether one-line text contains invisible characters. The joiners within an emoji, and those that change how letters
 * look, do not count.
 */
export function hasInvisibleCharacters(text: string): boolean {
  const others = withoutVisibleJoiners(text.replace(regionFlag, '').replace(joiner, '$1'));
  return invisible.test(others) || nothingShown.test(text);
}

/** Never allowed in long text: controls other than tab and line break, bidi overrides and isolates, lone surrogates. */
const controls = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

export const hasControlCharacters = (text: string): boolean => controls.test(text);

const oneSpaced = (text: string): string => text.trim().replace(/\s+/gu, ' ');

/** The stored form of one-line text: NFC, which changes no look, trimmed, runs of white space as one space. */
export const tidyLine = (text: string): string => oneSpaced(text.normalize('NFC'));

/** The form in which names are compared for uniqueness: NFKC, so that `ＡＣＭＥ` is `acme`. */
export const nameKey = (text: string): string => oneSpaced(text.normalize('NFKC')).toLowerCase();

export type NameRefusal = 'required' | 'tooLong' | 'invisible';
export type NameVerdict = { ok: true; name: string } | { ok: false; code: NameRefusal };

/** Checks a one-line name of at most `max` code points after tidying. */
export function checkName(input: string, max: number): NameVerdict {
  const name = tidyLine(input);
  if (name === '') return { ok: false, code: 'required' };
  if (hasInvisibleCharacters(name)) return { ok: false, code: 'invisible' };
  if ([...name].length > max) return { ok: false, code: 'tooLong' };
  return { ok: true, name };
}
