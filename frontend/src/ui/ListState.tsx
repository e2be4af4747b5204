import { ReloadOutlined } from '@ant-design/icons';
import { Alert, Button, Skeleton, Typography } from 'antd';
import type { ReactNode } from 'react';
import { failureText } from '../api/failure.text';
import './ui.css';

interface ListStateProps {
  isLoading: boolean;
  /** What failed; null or undefined when nothing did. */
  error?: Error | null;
  errorTitle: string;
  /** Whether the items that are there stand below what failed. */
  isPartial?: boolean;
  onRetry?: () => void;
  isEmpty: boolean;
  emptyTitle: string;
  emptyHelp?: ReactNode;
  emptyAction?: ReactNode;
  /** The skeleton of the real shape; three rows when left out. */
  skeleton?: ReactNode;
  children: ReactNode;
}

/** The four faces of a list: loading, failed with Retry, empty with one action, full. */
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
