import { useEffect, type ComponentType } from 'react';
import { onDemand } from '../ui/on.demand';
import { isMissingChunk, NavigationError } from './ErrorScreen';

type Load = () => Promise<{ Component: ComponentType }>;

/**
 * A route's `lazy` that can fail and load later. The router keeps a rejected `lazy` until the document is reloaded, so
 * this resolves to a component that loads the missing code when the page is opened again and when the network returns.
 */
export const lazyPage =
  (load: Load): Load =>
  () =>
    load().catch((error: unknown) => {
      if (!isMissingChunk(error)) throw error;
      return { Component: latePage(load) };
    });

function latePage(load: Load): ComponentType {
  const page = onDemand(async () => (await load()).Component);
  const retry = () => void page.fetch().catch(() => undefined);
  let hasJustFailed = true;
  return function LatePage() {
    const isThere = page.useIsThere();
    useEffect(() => {
      if (!hasJustFailed) retry();
      hasJustFailed = false;
      window.addEventListener('online', retry);
      return () => window.removeEventListener('online', retry);
    }, []);
    return isThere ? <page.Part /> : <NavigationError />;
  };
}
