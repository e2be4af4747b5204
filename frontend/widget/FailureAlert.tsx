import { Alert } from 'antd';
import { type FailurePlace, failureText } from './failure.text';
import type { LoginFailure } from './login.failure';
import { classes } from './login.props';

interface FailureAlertProps extends FailurePlace {
  failure: LoginFailure | null;
  className?: string;
}

/** What went wrong and what to do; screen readers announce it as it appears. */
export function FailureAlert({ failure, className, ...place }: FailureAlertProps) {
  if (!failure) return null;
  const { title, help } = failureText(failure, place);
  return (
    <Alert
      type="error"
      showIcon
      title={
        <>
          <span className="oid-login-failure-title">{title}</span>
          {help && <span> {help}</span>}
        </>
      }
      className={classes('oid-login-failure', className)}
      data-failure={failure.code}
    />
  );
}
