import { useMemo } from 'react';
import { CodeBlock } from '../../ui/CodeBlock';
import { safeParts } from './safe.html';
import styles from './community.module.css';

/** The formatted text of a post or a reply. */
export function PostText({ html }: { html: string }) {
  const parts = useMemo(() => safeParts(html), [html]);
  return (
    <div className={styles.text}>
      {parts.map((part, place) =>
        'code' in part ? (
          <CodeBlock key={place} code={part.code} label="code" language={part.language ?? 'Code'} />
        ) : (
          <div key={place} dangerouslySetInnerHTML={{ __html: part.html }} />
        ),
      )}
    </div>
  );
}
