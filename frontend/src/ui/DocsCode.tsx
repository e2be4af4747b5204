import { createContext, useContext, type ComponentProps } from 'react';
import { CodeBlock } from './CodeBlock';

/** Whether the panel has been opened since the page was hydrated. */
export const PanelOpened = createContext(false);

/**
 * Code in the documentation. Its copy button appears once its tab has been opened: before hydration the button can't
 * work, and hydrating the buttons of all tabs at once would block the page.
 */
export const DocsCode = (props: Omit<ComponentProps<typeof CodeBlock>, 'hasCopy'>) => (
  <CodeBlock {...props} hasCopy={useContext(PanelOpened)} />
);
