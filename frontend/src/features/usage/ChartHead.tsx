import type { ReactNode } from 'react';
import { CallLegend } from '../../ui/CallLegend';
import { timeZone } from '../../ui/time.text';

/** The chart's title, legend and hint, which show before its figures have loaded; `children` are further entries. */
export function ChartHead({ children }: { children?: ReactNode }) {
  return (
    <div className="usage-card-head">
      <h2 id="usage-chart-title">Calls over time</h2>
      <CallLegend>{children}</CallLegend>
      <span className="usage-card-note">
        Times in {timeZone}. <span className="usage-drag-note">Click a bar or drag to zoom in.</span>
        <span className="usage-tap-note">Tap a bar to zoom in.</span>
      </span>
    </div>
  );
}
