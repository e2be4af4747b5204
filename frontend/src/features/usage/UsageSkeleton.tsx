import { Skeleton } from 'antd';

/** Placeholder for the calls while they load. */
export function TailSkeleton() {
  return (
    <div className="usage-tail-skeleton">
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} active title={false} paragraph={{ rows: 1, width: '100%' }} />
      ))}
    </div>
  );
}

/** Placeholder for everything below the totals until the first figures have loaded. */
export function UsageSkeleton() {
  return (
    <div className="usage-content" aria-hidden>
      <div className="usage-card usage-chart-skeleton">
        <Skeleton.Node active className="usage-plot-skeleton" />
      </div>
      <div className="usage-breakdowns">
        {['endpoint', 'status', 'key', 'origin'].map((name) => (
          <div key={name} className="usage-card">
            <Skeleton active title={{ width: '40%' }} paragraph={{ rows: 2, width: '100%' }} />
          </div>
        ))}
      </div>
      <div className="usage-card">
        <TailSkeleton />
      </div>
    </div>
  );
}
