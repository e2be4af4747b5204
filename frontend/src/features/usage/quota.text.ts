import { limits } from '@orange-id/contract/limits';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { formatCount } from '../../ui/number.text';

type Today = UsageMetrics['today'];

/** `Calls today: 12,345 of 1,000,000`. */
export const todayText = ({ calls, quota }: Today): string =>
  `Calls today: ${formatCount(calls)}${quota === null ? '' : ` of ${formatCount(quota)}`}, counted from 00:00 UTC`;

/** What to warn of once most of the day's calls are used; `null` before. */
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
      description: 'Calls with your keys are rejected with 429 until 00:00 UTC.',
    };
  return {
    type: 'warning',
    title: `${Math.floor((100 * calls) / quota)}% of today’s quota is used`,
    description: `You can make ${formatCount(quota)} calls a day. Further calls are rejected with 429 until 00:00 UTC.`,
  };
}
