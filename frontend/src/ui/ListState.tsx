import { Skeleton, Typography } from 'antd';
import type { ReactNode } from 'react';
import { LoadFailure } from './LoadFailure';
import './ui.css';

interface ListStateProps {
  isLoading: boolean;
  /** The error; `null` or `undefined` if none. */
  error?: Error | null;
  errorTitle: string;
  /** Whether the loaded items show below the error. */
  isPartial?: boolean;
  isRetrying?: boolean;
  onRetry?: () => void;
  isEmpty: boolean;
  emptyTitle: string;
  emptyHelp?: ReactNode;
  emptyAction?: ReactNode;
  /** The skeleton in the list's shape; three lines by default. */
  skeleton?: ReactNode;
  children: ReactNode;
}

/** The four states of a list: loading, error with Retry, empty with an action, full. */
export function ListState(props: ListStateProps) {
  if (props.isLoading) {
    return (
      <div role="status" aria-label="Loading">
        <div aria-hidden>{props.skeleton ?? <Skeleton active title={false} paragraph={{ rows: 3 }} />}</div>
      </div>
    );
  }
  const failure = props.error && (
    <LoadFailure
      title={props.errorTitle}
      error={props.error}
      isRetrying={props.isRetrying}
      onRetry={props.onRetry}
    />
  );
  if (failure && !props.isPartial) return failure;
  if (props.isEmpty) {
    return (
      <div className="list-empty">
        <Typography.Text strong>{props.emptyTitle}</Typography.Text>
        {props.emptyHelp && <Typography.Text type="secondary">{props.emptyHelp}</Typography.Text>}
        {props.emptyAction}
      </div>
    );
  }
  return (
    <>
      {failure && <div className="list-failure">{failure}</div>}
      {props.children}
    </>
  );
}
