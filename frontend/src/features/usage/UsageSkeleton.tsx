import { Skeleton } from 'antd';
import { ChartHead } from './ChartHead';
import styles from './usage.module.css';

/** Placeholder for the calls while they load. */
export const tailSkeleton = <Skeleton active title={false} paragraph={{ rows: 11, width: '100%' }} />;

/** Placeholder for everything below the totals until the first figures have loaded. */
export function UsageSkeleton() {
  return (
    <div className="stack" aria-hidden>
      <div className="light-card">
        <ChartHead />
        <div className={`skeleton ${styles.plot}`} />
      </div>
      <div className={`stack ${styles.breakdowns}`}>
        {['By endpoint', 'By status', 'By key', 'By origin'].map((title) => (
          <div key={title} className="light-card">
            <div className="light-card-head">
              <h2>{title}</h2>
            </div>
            <Skeleton active title={false} paragraph={{ rows: 3, width: '100%' }} />
          </div>
        ))}
      </div>
      <div className="light-card">
        <div className="light-card-head">
          <h2>Calls</h2>
        </div>
        {tailSkeleton}
      </div>
    </div>
  );
}
