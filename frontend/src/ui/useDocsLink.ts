import { useConfig } from '../api/config/config.context';
import { useHydrated } from './useHydrated';

/**
 * Where links to the documentation lead: to the portal's own page, or to another site by configuration. A prerendered
 * page doesn't know the configuration, so before hydration they lead to the portal's own.
 */
export function useDocsLink(): { to: string; isExternal: boolean } {
  const { docs } = useConfig().links;
  const isHydrated = useHydrated();
  const to = isHydrated ? docs : '/docs';
  return { to, isExternal: !to.startsWith('/') };
}
