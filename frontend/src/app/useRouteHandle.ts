import { useMatches } from 'react-router-dom';
import type { RouteHandle } from './route.handle';

/** What the route of the page shown says about itself; nothing before the first one is there. */
export const useRouteHandle = (): Partial<RouteHandle> =>
  (useMatches().at(-1)?.handle as RouteHandle | undefined) ?? {};
