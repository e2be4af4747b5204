import { ReloadOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { isReadFromRows, type UsageView } from './usage.view';

interface UsageErrorProps {
  error: Error;
  view: UsageView;
  onChange: (part: Partial<UsageView>) => void;
  onRetry: () => void;
}

/** Why the figures could not be loaded, and what to do about it. */
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
  /** The view that the action shows; without it, the action retries. */
  act?: Partial<UsageView>;
}

function faceOf(error: Error, view: UsageView): Face {
  const code = error instanceof HttpError ? error.code : undefined;
  if (code === 'project.notFound' && view.projectId)
    return {
      title: 'Project not found',
      description: `None of your projects has the ID “${view.projectId}”. It may have been deleted, or belong to another account.`,
      action: 'Show all projects',
      act: { projectId: '' },
    };
  if (code === 'keys.notFound' && view.keyId)
    return {
      title: 'API key not found',
      description: `None of your API keys has the ID “${view.keyId}”. It may belong to another account.`,
      action: 'Show all keys',
      act: { keyId: '' },
    };
  if (code === 'usage.tooManyCalls')
    return {
      title: 'Too many calls to search',
      description: isReadFromRows(view)
        ? 'For ranges of two days or more, only the project and key filters work with this many calls. Choose a shorter range or clear the other filters.'
        : 'Choose a shorter range.',
      action: 'Show the last hour',
      act: { range: '1h' },
    };
  return { title: 'Failed to load usage', description: failureText(error), action: 'Retry' };
}
