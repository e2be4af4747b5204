import { useMatches } from 'react-router-dom';
import type { RouteHandle } from './route.handle';

/** The metadata of the current route; empty before the first one has loaded. */
export const useRouteHandle = (): Partial<RouteHandle> =>
  (useMatches().at(-1)?.handle as RouteHandle | undefined) ?? {};
