import { Alert, Button } from 'antd';
import { HttpError } from '../../api/http';
import { LoadFailure } from '../../ui/LoadFailure';
import { isReadFromRows, type UsageView } from './usage.view';

interface UsageErrorProps {
  error: Error;
  view: UsageView;
  onChange: (part: Partial<UsageView>) => void;
  onRetry: () => void;
}

/** Why the figures could not be loaded, and what to do about it. */
export function UsageError({ error, view, onChange, onRetry }: UsageErrorProps) {
  const face = faceOf(error, view);
  if (!face) return <LoadFailure title="Failed to load usage" error={error} onRetry={onRetry} />;
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={face.title}
      description={face.description}
      action={<Button onClick={() => onChange(face.act)}>{face.action}</Button>}
    />
  );
}

interface Face {
  title: string;
  description: string;
  action: string;
  /** The view that the action shows. */
  act: Partial<UsageView>;
}

/**
 * The message for an error that another view avoids, and that view; `null` for any other error, where only a retry can
 * help.
 */
function faceOf(error: Error, view: UsageView): Face | null {
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
        ? 'Choose a shorter range, or clear some filters.'
        : 'Choose a shorter range.',
      action: 'Show the last hour',
      act: { range: '1h' },
    };
  return null;
}
