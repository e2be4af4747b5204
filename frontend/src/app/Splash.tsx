import './screens.css';

/** What shows while the first answers are on their way; it waits a moment, so that a quick start does not flicker. */
export function Splash() {
  return (
    <div className="splash" role="status" aria-label="Loading">
      <span className="splash-mark" />
    </div>
  );
}
