import type { ComponentType } from 'react';

/** A route's `lazy` that loads a page that uses antd, wrapped in the portal's theme. */
export const themed =
  (load: () => Promise<ComponentType>) => async (): Promise<{ Component: ComponentType }> => {
    const [{ Themed }, Page] = await Promise.all([import('./Themed'), load()]);
    return {
      Component: () => (
        <Themed>
          <Page />
        </Themed>
      ),
    };
  };
