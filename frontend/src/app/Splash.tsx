import { Spin } from 'antd';
import './shell.css';

/** What shows while the first answers are on their way; it waits a moment, so that a quick start does not flicker. */
export function Splash() {
  return (
    <div className="splash" role="status" aria-label="Loading">
      <Spin size="large" delay={300} />
    </div>
  );
}
