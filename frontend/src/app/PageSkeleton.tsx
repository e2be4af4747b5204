import './screens.css';
import { useRouteHandle } from './useRouteHandle';

/** The shape of the page that is on its way: its head with the title that it will have, and its first cards. */
export function PageSkeleton() {
  const { entry, title } = useRouteHandle();
  const isBanner = entry === 'dashboard' || entry === 'profile';
  return (
    <div className="page-skeleton" role="status" aria-label="Loading" data-entry={entry}>
      <div className={isBanner ? 'page-skeleton-head page-skeleton-banner' : 'page-skeleton-head'}>
        <p className="page-skeleton-title">{entry === 'dashboard' ? 'Welcome to Orange ID' : title}</p>
        <span className="page-skeleton-line" />
      </div>
      <div className="page-skeleton-cards">
        <span className="page-skeleton-card" />
        {(entry === 'projects' || isBanner) && <span className="page-skeleton-card" />}
      </div>
    </div>
  );
}
