import { Skeleton } from 'antd';

/** The shape of a page head and a card, so that nothing jumps when the page arrives. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton
        active
        title={{ width: 'min(240px, 60%)' }}
        paragraph={{ rows: 1, width: 'min(360px, 90%)' }}
      />
      <Skeleton className="page-skeleton-card" active title={false} paragraph={{ rows: 5 }} />
    </div>
  );
}
