import type { DocsBlock, DocsSection } from '@orange-id/contract/docs.blocks';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { DocsCode } from './DocsCode';
import styles from './docs-text.module.css';

/** Whether the browser must load this path, because the router has no page for it. */
const isDocument = (to: string) => /^\/(api\/|\.well-known\/|.*\.(md|txt)$)/.test(to);

function textPart(part: string, key: number): ReactNode {
  if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>;
  if (part.startsWith('**')) {
    return (
      <strong key={key}>
        <DocsText text={part.slice(2, -2)} />
      </strong>
    );
  }
  if (!part.startsWith('[')) return part;
  const [words, to = ''] = part.slice(1, -1).split('](');
  return isDocument(to) ? (
    <a key={key} href={to}>
      {words}
    </a>
  ) : (
    <Link key={key} to={to}>
      {words}
    </Link>
  );
}

/** A text of the documentation with Markdown's inline code, bold and links. */
export const DocsText = ({ text }: { text: string }) =>
  text.split(/(\*\*[^*]+\*\*|`[^`]+`|\[[^[\]]+\]\([^()]+\))/).map(textPart);

export function DocsTable({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <div className={styles.table} role="group" aria-label={`Table: ${head.filter(Boolean).join(', ')}`}>
      <table>
        <thead>
          <tr>
            {head.map((cell) =>
              cell ? (
                <th key={cell} scope="col">
                  {cell}
                </th>
              ) : (
                <td key={cell} />
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells.join()}>
              {cells.map((cell, place) => (
                <td key={place} data-label={head[place]}>
                  <span>
                    <DocsText text={cell} />
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function DocsBlocks({ blocks }: { blocks: readonly DocsBlock[] }) {
  return blocks.map((block, place) => {
    if ('text' in block)
      return (
        <p key={place}>
          <DocsText text={block.text} />
        </p>
      );
    if ('table' in block) return <DocsTable key={place} {...block.table} />;
    if ('code' in block) return <DocsCode key={place} {...block} />;
    return (
      <ul key={place}>
        {block.list.map((item) => (
          <li key={item}>
            <DocsText text={item} />
          </li>
        ))}
      </ul>
    );
  });
}

/** A heading with a link to itself, so that its URL can be copied. */
export function DocsHeading({ id, title, level }: { id: string; title: string; level: 2 | 3 }) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.heading}>
      <Heading>{title}</Heading>
      <Link to={{ hash: id }} className={styles.anchor} aria-label={`Link to ${title}`}>
        #
      </Link>
    </div>
  );
}

export const DocsSections = ({ sections }: { sections: readonly DocsSection<string>[] }) =>
  sections.map(({ id, title, blocks }) => (
    <section key={id} id={id} className={styles.section} aria-label={title}>
      <DocsHeading id={id} title={title} level={2} />
      <DocsBlocks blocks={blocks} />
      <p className="note">
        <Link to={`/community?${new URLSearchParams({ q: title })}`}>Search the community for “{title}”</Link>
      </p>
    </section>
  ));

/** Links to the sections of a page or panel. */
export function DocsContents({ links }: { links: readonly { id: string; title: string }[] }) {
  const { search } = useLocation();
  return (
    <nav className={styles.contents} aria-label="On this page">
      <ul>
        {links.map(({ id, title }) => (
          <li key={id}>
            <Link to={{ search, hash: id }}>{title}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
