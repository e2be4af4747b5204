import { useMemo } from 'react';
import { CodeBlock } from '../../ui/CodeBlock';
import { safeParts } from './safe.html';
import styles from './community.module.css';

/** The formatted text of a post or a reply; `level` is that of its first heading. */
export function PostText({ html, level }: { html: string; level: 2 | 3 }) {
  const parts = useMemo(() => safeParts(html, level), [html, level]);
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
