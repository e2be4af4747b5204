import './screens.css';

/** A skeleton of a page head and a card, so that nothing shifts when the page loads. */
export function PageSkeleton() {
  return (
    <div className="page-skeleton" role="status" aria-label="Loading">
      <span className="page-skeleton-title" />
      <span className="page-skeleton-line" />
      <span className="page-skeleton-card" />
    </div>
  );
}
