import styles from './ended-text.module.css';

const endCharacters = 8;

/** A text on one line that is shortened before its end, so that names with the same beginning stay apart. */
export function EndedText({ text }: { text: string }) {
  // By grapheme, so that no accent and no emoji is torn apart.
  const graphemes = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  if (graphemes.length <= 2 * endCharacters) return <span>{text}</span>;
  return (
    <span className={styles.text}>
      <span>{graphemes.slice(0, -endCharacters).join('')}</span>
      <span>{graphemes.slice(-endCharacters).join('')}</span>
    </span>
  );
}
