/** What a person takes for the first letter, in upper case: an accent, a flag or a family emoji is several code points. */
export function firstLetter(text: string): string {
  const [first] = new Intl.Segmenter().segment(text.trim());
  return first?.segment.toUpperCase() ?? '';
}
