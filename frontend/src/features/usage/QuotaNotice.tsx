import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { Alert } from 'antd';
import { quotaWarning } from './quota.text';

/** A warning once most of the day's calls are used; nothing before. */
export function QuotaNotice({ today }: { today: UsageMetrics['today'] }) {
  const warning = quotaWarning(today);
  return warning && <Alert {...warning} showIcon role="status" className="usage-notice" />;
}
