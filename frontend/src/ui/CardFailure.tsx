import { ExclamationCircleOutlined, ReloadOutlined } from '@ant-design/icons';
import { failureText } from '../api/failure.text';
import { LightButton } from './LightButton';
import './card-failure.css';

interface CardFailureProps {
  title: string;
  error: Error;
  isRetrying: boolean;
  onRetry: () => void;
}

/** The error of a card that failed to load, with Retry, in place of its content. */
export function CardFailure({ title, error, isRetrying, onRetry }: CardFailureProps) {
  return (
    <div className="card-failure" role="alert">
      <ExclamationCircleOutlined className="card-failure-icon" aria-hidden />
      <div className="card-failure-words">
        <strong>{title}</strong>
        <span>{failureText(error)}</span>
        <LightButton
          icon={<ReloadOutlined aria-hidden spin={isRetrying} />}
          disabled={isRetrying}
          onClick={onRetry}
        >
          Retry
        </LightButton>
      </div>
    </div>
  );
}
