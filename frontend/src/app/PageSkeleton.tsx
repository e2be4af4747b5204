import '../ui/light-card.css';
import '../ui/skeleton.css';
import '../ui/ui.css';
import { useRouteHandle } from './useRouteHandle';
import styles from './page-skeleton.module.css';

/** The skeleton of a page that is loading: its head, with its title, and its first cards. */
export function PageSkeleton() {
  const { page, title, skeleton = {} } = useRouteHandle();
  return (
    <div role="status" aria-label="Loading" data-page={page}>
      <div className={skeleton.isBanner ? 'page-head light-card banner' : 'page-head'}>
        <div className={`page-head-words ${styles.words}`}>
          <p className="page-title">{skeleton.title ?? title}</p>
          <span className={`skeleton ${styles.line}`} />
        </div>
        {skeleton.hasAction && <span className={`skeleton ${styles.action}`} />}
      </div>
      {skeleton.body ?? (
        <div className={`stack ${styles.cards}`}>
          {Array.from({ length: skeleton.cards ?? 1 }, (_, place) => (
            <span key={place} className={`light-card ${styles.card}`} />
          ))}
        </div>
      )}
    </div>
  );
}
