import styles from './screens.module.css';

/** The loading screen of the first requests. It appears after a delay, so that a fast start doesn't flicker. */
export function Splash() {
  return (
    <div className={styles.splash} role="status" aria-label="Loading">
      <span className="splash-mark" />
    </div>
  );
}
