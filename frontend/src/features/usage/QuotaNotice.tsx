import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { Alert } from 'antd';
import { quotaWarning } from './quota.text';

const announcements = {
  warning: 'Most of today’s quota is used.',
  error: 'Today’s quota is used up.',
};

/** A warning once most of the day's calls are used; nothing before, and nothing until `today` is read. */
export function QuotaNotice({ today }: { today: UsageMetrics['today'] | undefined }) {
  const warning = today ? quotaWarning(today) : null;
  return (
    <>
      {/* The percentage in the warning moves with the calls: as a live region it would be read out again and again. */}
      <span className="visually-hidden" role="status">
        {warning && announcements[warning.type]}
      </span>
      {warning && <Alert {...warning} showIcon role="note" className="usage-notice" />}
    </>
  );
}
