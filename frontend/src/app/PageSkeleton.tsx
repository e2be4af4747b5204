import './screens.css';
import { useRouteHandle } from './useRouteHandle';

/** The shape of the page that is on its way: its head with the title that it will have, and its first cards. */
export function PageSkeleton() {
  const { page, title, skeleton = {} } = useRouteHandle();
  return (
    <div className="page-skeleton" role="status" aria-label="Loading" data-page={page}>
      <div className={skeleton.isBanner ? 'page-skeleton-head page-skeleton-banner' : 'page-skeleton-head'}>
        <div className="page-skeleton-words">
          <p className="page-skeleton-title">{skeleton.title ?? title}</p>
          <span className="page-skeleton-line" />
        </div>
        {skeleton.hasAction && <span className="skeleton page-skeleton-action" />}
      </div>
      {skeleton.body ?? (
        <div className="page-skeleton-cards">
          {Array.from({ length: skeleton.cards ?? 1 }, (_, place) => (
            <span key={place} className="page-skeleton-card" />
          ))}
        </div>
      )}
    </div>
  );
}
