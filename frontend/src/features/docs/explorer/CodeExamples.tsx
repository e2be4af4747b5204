import { keyPlaceholder } from '@orange-id/contract/call.snippets';
import { snippetFor, snippetLanguages, type SnippetLanguage } from '@orange-id/contract/snippets';
import type { MeteredRouteId } from '@orange-id/contract/metered.paths';
import { Segmented } from 'antd';
import { useState } from 'react';
import { useConfig } from '../../../api/config/config.context';
import { CodeBlock } from '../../../ui/CodeBlock';
import { bodyOf, inexactBody, routeOf, type CallDraft } from './explorer.fields';
import styles from './explorer.module.css';

const languages = Object.entries(snippetLanguages).map(([value, { title }]) => ({
  value: value as SnippetLanguage,
  label: title,
}));

interface CodeExamplesProps {
  endpoint: MeteredRouteId;
  draft: CallDraft;
}

/** Code that makes the configured call, with placeholders for the key and the player's token: copied code is shared. */
export function CodeExamples({ endpoint, draft }: CodeExamplesProps) {
  const { publicUrl } = useConfig();
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const route = routeOf(endpoint);
  const given = bodyOf(endpoint, draft);
  const isExample = given === undefined && route.bodyExample !== undefined;
  const placeholders = route.parameters.flatMap((parameter) =>
    parameter.in === 'header' ? [[parameter.name, parameter.example] as const] : [],
  );
  const { title, label } = snippetLanguages[language];
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
        code={snippetFor(language, route, {
          baseUrl: publicUrl,
          apiKey: keyPlaceholder,
          parameters: { ...draft.parameters, ...Object.fromEntries(placeholders) },
          body: given ?? route.bodyExample,
          bodyText: given === undefined ? undefined : inexactBody(draft),
        })}
      />
      <p className="note">
        Replace <code>{keyPlaceholder}</code> with your key. On a server, read it from an environment
        variable.
        <span>{isExample && ' The body is the example, because the one in Configure isn’t valid JSON.'}</span>
      </p>
    </div>
  );
}
