import { theme } from 'antd';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { createUsersPlot, type UserSeries } from './users.plot';
import styles from './users.module.css';

interface UsersPlotProps {
  series: UserSeries;
  bucketDays: number;
}

/** The chart itself; loaded lazily. */
export function UsersPlot({ series, bucketDays }: UsersPlotProps) {
  const { token } = theme.useToken();
  const frame = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const plot = useRef<ReturnType<typeof createUsersPlot>>(null);
  const state = useRef({ series, bucketDays });
  useLayoutEffect(() => {
    state.current = { series, bucketDays };
    plot.current?.draw();
  });
  useEffect(() => {
    const drawn = createUsersPlot({
      frame: frame.current as HTMLDivElement,
      tip: tip.current as HTMLDivElement,
      token,
      read: () => state.current,
    });
    plot.current = drawn;
    return () => {
      drawn.destroy();
      plot.current = null;
    };
  }, [token]);
  // Screen readers read the table below the chart.
  return (
    <div ref={frame} className={styles.plot} aria-hidden>
      <div ref={tip} className={`${styles.plotTip} tabular`} hidden />
    </div>
  );
}
