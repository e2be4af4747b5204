import { ProjectsShape, SettingsShape } from '../ui/PageShapes';
import './screens.css';
import { useRouteHandle } from './useRouteHandle';

/** How many cards a page starts with, if not one. Usage: its live state, filters, figures and chart. */
const cardCounts: Record<string, number> = { dashboard: 2, profile: 2, usage: 4 };

/** The shape of the page that is on its way: its head with the title that it will have, and its first cards. */
export function PageSkeleton() {
  const { entry, title } = useRouteHandle();
  const cards = cardCounts[entry ?? ''] ?? 1;
  const isBanner = entry === 'dashboard' || entry === 'profile';
  return (
    <div className="page-skeleton" role="status" aria-label="Loading" data-entry={entry}>
      <div className={isBanner ? 'page-skeleton-head page-skeleton-banner' : 'page-skeleton-head'}>
        <div className="page-skeleton-words">
          <p className="page-skeleton-title">{entry === 'dashboard' ? 'Welcome to Orange ID' : title}</p>
          <span className="page-skeleton-line" />
        </div>
        {entry === 'projects' && <span className="skeleton page-skeleton-action" />}
      </div>
      {entry === 'settings' ? (
        <SettingsShape />
      ) : entry === 'projects' ? (
        <ProjectsShape />
      ) : (
        <div className="page-skeleton-cards">
          {Array.from({ length: cards }, (_, place) => (
            <span key={place} className="page-skeleton-card" />
          ))}
        </div>
      )}
    </div>
  );
}
