import { ExclamationCircleOutlined, ReloadOutlined } from '@ant-design/icons';
import type { UseQueryResult } from '@tanstack/react-query';
import { failureText } from '../api/failure.text';
import { LightButton } from './LightButton';
import styles from './load-failure.module.css';

interface LoadFailureProps {
  /** What failed to load, such as 'Failed to load projects'. */
  title: string;
  error?: unknown;
  /** Why, in place of the error's own text. */
  reason?: string;
  isRetrying?: boolean | undefined;
  /** Left out if a retry can't help; then there is no Retry button. */
  onRetry?: (() => void) | undefined;
}

/** What failed to load, why, and Retry: in place of a card's content, or in a box of its own outside of cards. */
export function LoadFailure({ title, error, reason, isRetrying = false, onRetry }: LoadFailureProps) {
  return (
    <div className={styles.root} role="alert">
      <ExclamationCircleOutlined className={styles.icon} aria-hidden />
      <div className={styles.words}>
        <strong>{title}</strong>
        <span className="note">{reason ?? failureText(error)}</span>
        {onRetry && (
          <LightButton
            icon={<ReloadOutlined aria-hidden spin={isRetrying} />}
            // Not `disabled`, which would drop the focus.
            aria-disabled={isRetrying}
            onClick={() => !isRetrying && onRetry()}
          >
            Retry
          </LightButton>
        )}
      </div>
    </div>
  );
}

interface QueryFailureProps {
  title: string;
  /** Passed whole, because it tracks which fields are read. */
  query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;
}

/** A failed query, with a Retry that refetches it. */
export const QueryFailure = ({ title, query }: QueryFailureProps) => (
  <LoadFailure
    title={title}
    error={query.error}
    isRetrying={query.isFetching}
    onRetry={() => void query.refetch()}
  />
);
