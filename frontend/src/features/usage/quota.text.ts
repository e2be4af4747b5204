import { limits } from '@orange-id/contract/limits';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { formatCount } from '../../ui/number.text';

type Today = UsageMetrics['today'];

/** How much of the day's quota is used; the count omits rejected calls that other figures of the day include. */
export const quotaText = ({ calls, quota }: Today): string =>
  quota === null
    ? 'No daily quota.'
    : `Daily quota: ${formatCount(calls)} of ${formatCount(quota)} used. Calls rejected with 401, 403 or 429 don’t count. Resets at 00:00 UTC.`;

/** The warning once most of the day's quota is used; `null` before. */
export function quotaWarning({ calls, quota }: Today): {
  type: 'warning' | 'error';
  title: string;
  description: string;
} | null {
  if (quota === null || calls * 100 < quota * limits.usageQuotaWarnPercent) return null;
  if (calls >= quota)
    return {
      type: 'error',
      title: 'Daily quota used up',
      description: 'Calls with your API keys are rejected with status 429 until 00:00 UTC.',
    };
  return {
    type: 'warning',
    title: `${Math.floor((100 * calls) / quota)}% of today’s quota is used`,
    description: `After ${formatCount(quota)} calls, further calls are rejected with status 429 until 00:00 UTC.`,
  };
}
