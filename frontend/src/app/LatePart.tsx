import { useEffect, useState } from 'react';
import { LoadFailure } from '../ui/LoadFailure';
import type { OnDemand } from '../ui/on.demand';
import styles from './late-part.module.css';

interface LatePartProps<Props extends object> {
  part: OnDemand<Props>;
  /** What is being loaded, for the message if that fails. */
  name: string;
  props: Props;
}

/** A part of a page, whose code loads when it is rendered; without it, the reason with Retry. */
export function LatePart<Props extends object>({ part, name, props }: LatePartProps<Props>) {
  const isThere = part.useIsThere();
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    part.fetch().catch(setFailure);
  }, [part, attempt]);
  if (isThere) return <part.Part {...props} />;
  if (failure !== null) {
    return (
      <LoadFailure
        title={`Failed to load the ${name}`}
        reason="Check your connection and try again."
        onRetry={() => {
          setFailure(null);
          setAttempt(attempt + 1);
        }}
      />
    );
  }
  return <div className={`${styles.loading} skeleton`} role="status" aria-label="Loading" />;
}
