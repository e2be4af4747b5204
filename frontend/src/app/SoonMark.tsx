import styles from './soon-mark.module.css';
/** Marks a link to a page that isn't available yet; part of the link's accessible name. */
export function SoonMark() {
  return (
    <>
      {' '}
      <span className={styles.root}>Soon</span>
    </>
  );
}
