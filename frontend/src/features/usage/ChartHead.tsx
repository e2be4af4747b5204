import type { ReactNode } from 'react';
import { CallLegend } from '../../ui/CallLegend';
import { timeZone } from '../../ui/time.text';

const canHover = !window.matchMedia('(hover: none)').matches;

/** The chart's title, legend and hint, which show before its figures have loaded; `children` are further entries. */
export function ChartHead({ children }: { children?: ReactNode }) {
  return (
    <div className="light-card-head">
      <h2 id="usage-chart-title">Calls over time</h2>
      <CallLegend>{children}</CallLegend>
      <span className="note">
        Times in {timeZone}.{' '}
        <span>{canHover ? 'Click a bar or drag to zoom in.' : 'Tap a bar to zoom in.'}</span>
      </span>
    </div>
  );
}
