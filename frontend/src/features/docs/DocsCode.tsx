import { createContext, useContext, type ComponentProps } from 'react';
import { CodeBlock } from '../../ui/CodeBlock';

/** Whether the panel has been open since the page was hydrated. */
export const PanelOpened = createContext(false);

/**
 * Code in the documentation. It gets its copy button when its tab is opened: before hydration the button can't work,
 * and hydrating all of them would block the page.
 */
export const DocsCode = (props: Omit<ComponentProps<typeof CodeBlock>, 'hasCopy'>) => (
  <CodeBlock {...props} hasCopy={useContext(PanelOpened)} />
);
