import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import { keyPlaceholder } from '@orange-id/contract/call.snippets';
import { snippetFor, snippetLanguages, type SnippetLanguage } from '@orange-id/contract/snippets';
import type { MeteredRouteId } from '@orange-id/contract/metered.paths';
import { Segmented } from 'antd';
import { useState } from 'react';
import { useConfig } from '../../../api/config/config.context';
import { CodeBlock } from '../../../ui/CodeBlock';
import { maskBetween } from '../../../ui/mask.key';
import { bodyOf, inexactBody, routeOf, type CallDraft } from './explorer.fields';
import styles from './explorer.module.css';

const languages = Object.entries(snippetLanguages).map(([value, { title }]) => ({
  value: value as SnippetLanguage,
  label: title,
}));

interface CodeExamplesProps {
  endpoint: MeteredRouteId;
  draft: CallDraft;
  /** The key that was chosen by name. */
  chosenKey: string | undefined;
}

/**
 * Code that makes the configured call. Copying it includes the key that was chosen by name; a typed key and the player's
 * token stay placeholders.
 */
export function CodeExamples({ endpoint, draft, chosenKey }: CodeExamplesProps) {
  const { publicUrl } = useConfig();
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const route = routeOf(endpoint);
  const given = bodyOf(endpoint, draft);
  const isExample = given === undefined && route.bodyExample !== undefined;
  const placeholders = route.parameters.flatMap((parameter) =>
    parameter.in === 'header' ? [[parameter.name, parameter.example] as const] : [],
  );
  const { title, label } = snippetLanguages[language];
  const codeWith = (apiKey: string) =>
    snippetFor(language, route, {
      baseUrl: publicUrl,
      apiKey,
      parameters: { ...draft.parameters, ...Object.fromEntries(placeholders) },
      body: given ?? route.bodyExample,
      bodyText: given === undefined ? undefined : inexactBody(draft),
    });
  return (
    <div className={`stack ${styles.examples}`}>
      <Segmented<SnippetLanguage>
        aria-label="Language"
        value={language}
        options={languages}
        onChange={setLanguage}
      />
      <CodeBlock
        key={language}
        label={label}
        language={title}
        code={codeWith(chosenKey ?? keyPlaceholder)}
        shown={codeWith(chosenKey === undefined ? keyPlaceholder : maskBetween(apiKeyEnds(chosenKey)))}
      />
      <p className="note">
        {chosenKey === undefined ? (
          <span>
            Replace <code>{keyPlaceholder}</code> with your key. On a server, read it from an environment
            variable.
          </span>
        ) : (
          <span>
            Copied code has the key that is chosen in Configure. Don’t share it; on a server, read the key
            from an environment variable.
          </span>
        )}
        <span>{isExample && ' The body is the example, because the one in Configure isn’t valid JSON.'}</span>
      </p>
    </div>
  );
}
