/**
 * The first grapheme in upper case: a letter with an accent, a flag or a family emoji consists of several code points.
 */
export function firstLetter(text: string): string {
  const [first] = new Intl.Segmenter().segment(text.trim());
  return first?.segment.toUpperCase() ?? '';
}
