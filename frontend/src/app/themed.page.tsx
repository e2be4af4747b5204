import type { ComponentType } from 'react';

/** Loads a page that uses antd, wrapped in the portal's theme. */
export async function themedPage(load: () => Promise<ComponentType>): Promise<{ Component: ComponentType }> {
  const [{ Themed }, Page] = await Promise.all([import('./Themed'), load()]);
  return {
    Component: () => (
      <Themed>
        <Page />
      </Themed>
    ),
  };
}
