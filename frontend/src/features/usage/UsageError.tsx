import { ReloadOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { hasFilters, type UsageView } from './usage.view';

interface UsageErrorProps {
  error: Error;
  view: UsageView;
  onChange: (part: Partial<UsageView>) => void;
  onRetry: () => void;
}

/** Why the figures could not be read, and what to do about it. */
export function UsageError({ error, view, onChange, onRetry }: UsageErrorProps) {
  const { title, description, action, act } = faceOf(error, view);
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      className="usage-notice"
      title={title}
      description={description}
      action={
        act ? (
          <Button onClick={() => onChange(act)}>{action}</Button>
        ) : (
          <Button icon={<ReloadOutlined aria-hidden />} onClick={onRetry}>
            {action}
          </Button>
        )
      }
    />
  );
}

interface Face {
  title: string;
  description: string;
  action: string;
  /** Where the action leads; left out, it asks again. */
  act?: Partial<UsageView>;
}

function faceOf(error: Error, view: UsageView): Face {
  const code = error instanceof HttpError ? error.code : undefined;
  if (code === 'project.notFound' && view.projectId)
    return {
      title: 'No such project',
      description: `None of your projects has the id “${view.projectId}”. It may have been deleted, or be another account’s.`,
      action: 'Show all projects',
      act: { projectId: '' },
    };
  if (code === 'keys.notFound' && view.keyId)
    return {
      title: 'No such key',
      description: `None of your keys has the id “${view.keyId}”. It may be another account’s.`,
      action: 'Show all keys',
      act: { keyId: '' },
    };
  if (code === 'usage.tooManyCalls')
    return {
      title: 'Too many calls to search in time',
      description: hasFilters(view)
        ? 'Over two days, figures without filters other than project and key are kept ready; with them every call is looked at. Choose a shorter range or clear the filters.'
        : 'Choose a shorter range.',
      action: 'Show the last hour',
      act: { range: '1h' },
    };
  return { title: 'Failed to load usage', description: failureText(error), action: 'Retry' };
}
