import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { Alert } from 'antd';
import { quotaWarning } from './quota.text';

const announcements = {
  warning: 'Most of today’s quota is used.',
  error: 'Today’s quota is used up.',
};

/** A warning once most of the day's quota is used; nothing before that or until `today` has loaded. */
export function QuotaNotice({ today }: { today: UsageMetrics['today'] | undefined }) {
  const warning = today ? quotaWarning(today) : null;
  return (
    <>
      {/* The warning's percentage changes with the calls; in a live region it would be announced again and again. */}
      <span className="visually-hidden" role="status">
        {warning && announcements[warning.type]}
      </span>
      {warning && <Alert {...warning} showIcon role="note" />}
    </>
  );
}
