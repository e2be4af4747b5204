import '../ui/light-card.css';
import '../ui/skeleton.css';
import '../ui/ui.css';
import './screens.css';
import { useRouteHandle } from './useRouteHandle';

/** The skeleton of a page that is loading: its head, with its title, and its first cards. */
export function PageSkeleton() {
  const { page, title, skeleton = {} } = useRouteHandle();
  return (
    <div className="page-skeleton" role="status" aria-label="Loading" data-page={page}>
      <div className={skeleton.isBanner ? 'page-head light-card banner' : 'page-head'}>
        <div className="page-head-words page-skeleton-words">
          <p className="page-title">{skeleton.title ?? title}</p>
          <span className="skeleton page-skeleton-line" />
        </div>
        {skeleton.hasAction && <span className="skeleton page-skeleton-action" />}
      </div>
      {skeleton.body ?? (
        <div className="stack page-skeleton-cards">
          {Array.from({ length: skeleton.cards ?? 1 }, (_, place) => (
            <span key={place} className="light-card page-skeleton-card" />
          ))}
        </div>
      )}
    </div>
  );
}
