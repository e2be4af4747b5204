import type { ComponentType } from 'react';
import { lazy, Suspense, useEffect } from 'react';
import { useAuth } from '../api/session/auth.context';
import type { ExplorerProps } from '../features/docs/DocsPage';
import type { ExampleKeyProps } from '../features/docs/ExampleKey';
import { onDemand } from '../ui/on.demand';
import { LatePart } from './LatePart';
import { PageSkeleton } from './PageSkeleton';

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

const Explorer = (props: ExplorerProps) => <LatePart part={explorer} name="API Explorer" props={props} />;

/** `/docs`, for everybody. */
export function DocsRoute() {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <DocsPage Explorer={Explorer} ExampleKey={ExampleKey} />
    </Suspense>
  );
}
