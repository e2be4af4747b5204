import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import { exampleGame, keyPlaceholder } from '@orange-id/contract/call.snippets';
import { codeForProject } from '@orange-id/contract/integration.snippets';
import type { Project } from '@orange-id/contract/projects.schema';
import { createContext, useContext, type ComponentProps } from 'react';
import { CodeBlock } from './CodeBlock';
import { maskBetween } from './mask.key';

/** Whether the panel has been opened since the page was hydrated. */
export const PanelOpened = createContext(false);

/** The key that copied code has in place of the placeholder; null while the user is signed out or has none. */
export const CodeKey = createContext<string | null>(null);

/** The ID of the user's game, which code has in place of the example's; null while there is none. */
export const CodeGame = createContext<string | null>(null);

/** The project whose values the code has in place of the placeholders; null while there is none. */
export const CodeProject = createContext<Pick<Project, 'code' | 'urls'> | null>(null);

/**
 * Code in the documentation. Its copy button appears once its tab has been opened: before hydration the button can't
 * work, and hydrating the buttons of all tabs at once would block the page.
 */
export function DocsCode({
  code: text,
  ...props
}: Omit<ComponentProps<typeof CodeBlock>, 'hasCopy' | 'shown'>) {
  const hasCopy = useContext(PanelOpened);
  const key = useContext(CodeKey);
  const project = useContext(CodeProject);
  const game = useContext(CodeGame);
  const ofProject = project ? codeForProject(text, project) : text;
  const code = game === null ? ofProject : ofProject.replaceAll(exampleGame, () => game);
  const codeWith = (key: string) => code.replaceAll(keyPlaceholder, () => key);
  if (key === null || !code.includes(keyPlaceholder))
    return <CodeBlock {...props} code={code} hasCopy={hasCopy} />;
  return (
    <CodeBlock
      {...props}
      code={codeWith(key)}
      shown={codeWith(maskBetween(apiKeyEnds(key)))}
      hasCopy={hasCopy}
    />
  );
}
