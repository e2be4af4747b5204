import type { ComponentType } from 'react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useAuth } from '../api/session/auth.context';
import type { ExplorerProps } from '../features/docs/DocsPage';
import type { ExampleKeyProps } from '../features/docs/ExampleKey';
import { LoadFailure } from '../ui/LoadFailure';
import { onDemand } from '../ui/on.demand';
import { PageSkeleton } from './PageSkeleton';
import styles from './docs-route.module.css';

/** `/docs` uses no antd, unlike the explorer. */
export const docsPage = async () => (await import('../features/docs/DocsPage')).DocsPage;

const explorer = onDemand(async (): Promise<ComponentType<ExplorerProps>> => {
  const [{ Themed }, { ApiExplorer }] = await Promise.all([
    import('./Themed'),
    import('../features/docs/explorer/ApiExplorer'),
  ]);
  return (props) => (
    <Themed>
      <ApiExplorer {...props} />
    </Themed>
  );
});

const signedInKey = onDemand(async () => (await import('../features/docs/ExampleKey')).ExampleKey);

/** The signed-in user's key in code examples. If its code doesn't load, the examples keep their placeholder. */
function ExampleKey(props: ExampleKeyProps) {
  const { isAuthenticated } = useAuth();
  useEffect(() => {
    if (isAuthenticated) signedInKey.fetch().catch(() => undefined);
  }, [isAuthenticated]);
  return isAuthenticated && <signedInKey.Part {...props} />;
}

const DocsPage = lazy(async () => ({ default: await docsPage() }));

/** The explorer, whose code loads when its tab is opened. */
function Explorer(props: ExplorerProps) {
  const isThere = explorer.useIsThere();
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    explorer.fetch().catch(setFailure);
  }, [attempt]);
  if (isThere) return <explorer.Part {...props} />;
  if (failure !== null) {
    return (
      <LoadFailure
        title="Failed to load the API Explorer"
        reason="Check your connection and try again."
        onRetry={() => {
          setFailure(null);
          setAttempt(attempt + 1);
        }}
      />
    );
  }
  return <div className={`${styles.explorerLoading} skeleton`} role="status" aria-label="Loading" />;
}

/** `/docs`, for everybody. */
export function DocsRoute() {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <DocsPage Explorer={Explorer} ExampleKey={ExampleKey} />
    </Suspense>
  );
}
