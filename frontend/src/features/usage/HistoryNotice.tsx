import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { Alert } from 'antd';
import { formatDay, formatMinute } from '../../ui/time.text';

/** Says that older calls are missing for a while, and since when none is; nothing otherwise. */
export function HistoryNotice({ metrics }: { metrics: UsageMetrics | undefined }) {
  const from = metrics?.completeFrom;
  return (
    <>
      <span className="visually-hidden" role="status">
        {from !== undefined && 'Older calls can’t be read at the moment.'}
      </span>
      {from !== undefined && (
        <Alert
          type="info"
          showIcon
          role="note"
          title={`Some calls before ${formatDay(from)}, ${formatMinute(Date.parse(from))} can’t be read at the moment, so figures may be too low. No call is lost, and this page updates by itself.`}
        />
      )}
    </>
  );
}
