import { Skeleton } from 'antd';
import '../../ui/skeleton.css';
import { ChartHead } from './ChartHead';

/** Placeholder for the calls while they load, in the shape of their rows. */
export function TailSkeleton() {
  return (
    <div className="usage-tail-skeleton">
      {Array.from({ length: 8 }, (_, index) => (
        <span key={index}>
          <span className="skeleton" />
        </span>
      ))}
    </div>
  );
}

/** Placeholder for everything below the totals until the first figures have loaded. */
export function UsageSkeleton() {
  return (
    <div className="usage-content" aria-hidden>
      <div className="usage-card">
        <ChartHead />
        <Skeleton.Node active className="usage-plot-skeleton" />
      </div>
      <div className="usage-breakdowns">
        {['By endpoint', 'By status', 'By key', 'By origin'].map((title) => (
          <div key={title} className="usage-card">
            <div className="usage-card-head">
              <h2>{title}</h2>
            </div>
            <span className="skeleton usage-bar-skeleton" />
            <span className="skeleton usage-bar-skeleton" />
          </div>
        ))}
      </div>
      <div className="usage-card">
        <div className="usage-card-head">
          <h2>Calls</h2>
        </div>
        <TailSkeleton />
      </div>
    </div>
  );
}
