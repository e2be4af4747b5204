import { ReloadOutlined } from '@ant-design/icons';
import { Alert, Button, Skeleton, Typography } from 'antd';
import type { ReactNode } from 'react';
import { failureText } from '../api/failure.text';
import './ui.css';

interface ListStateProps {
  isLoading: boolean;
  /** The error; `null` or `undefined` if none. */
  error?: Error | null;
  errorTitle: string;
  /** Whether the loaded items show below the error. */
  isPartial?: boolean;
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
    <Alert
      className="list-failure"
      type="error"
      showIcon
      role="alert"
      title={props.errorTitle}
      description={failureText(props.error)}
      action={
        props.onRetry && (
          <Button icon={<ReloadOutlined aria-hidden />} onClick={props.onRetry}>
            Retry
          </Button>
        )
      }
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
      {failure}
      {props.children}
    </>
  );
}
