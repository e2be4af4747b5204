import punycode from 'punycode.js';
import { withoutVisibleJoiners } from './joiner.rule.js';

/** The scripts that UAX 31 recommends for names. Japanese, Korean and Bopomofo names also have Han characters. */
const scripts = [
  ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati'],
  ...['Gurmukhi', 'Han', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala'],
  ...['Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
];
const namesOfOneScript = [
  ...scripts.map((script) => `\\p{scx=${script}}`),
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}',
  '\\p{scx=Han}\\p{scx=Hangul}',
  '\\p{scx=Han}\\p{scx=Bopomofo}',
  // Latin as it is written today: the rest of the script has many letters that look like these.
  'a-zß-žơưșțẁ-ỹ',
].map((letters) => new RegExp(`^[${letters}\\d-]+$`, 'u'));

const lookalikes = [
  /[ıĸŀŉſ]/u,
  // Names of these letters alone look like Latin ones (after Chromium's list): Cyrillic, Greek, Armenian, Georgian, Hebrew.
  ...['асԁеһіјӏорԛѕԝхуъьҽпгѵѡ', 'αγικνρυωηοτχ', 'ագզէլհյոսւօ', 'იოყძხჽჿ', 'דוחיןסװ'].map(
    (letters) => new RegExp(`^[${letters}\\d-]+$`, 'u'),
  ),
];

/**
 * A host, origin or URL without a path, with international names in their own letters instead of punycode. A label that
 * could be mistaken for another name stays as it is: one of several scripts, and one that looks like a Latin name. Only
 * for display: compare and send the text as it was.
 */
export const readableHost = (text: string): string =>
  text
    .split(/([./:])/)
    .map((part) => (part.startsWith('xn--') ? readableLabel(part) : part))
    .join('');

function readableLabel(label: string): string {
  let letters: string;
  try {
    letters = punycode.decode(label.slice('xn--'.length));
    // What `URL` doesn't turn into the same label is no valid name.
    if (new URL(`http://${letters}.example`).hostname !== `${label}.example`) return label;
  } catch {
    return label;
  }
  const seen = withoutVisibleJoiners(letters);
  const isReadable = /\p{L}/u.test(seen) && namesOfOneScript.some((name) => name.test(seen));
  return isReadable && !lookalikes.some((name) => name.test(seen)) ? letters : label;
}
