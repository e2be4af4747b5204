import { CommentOutlined } from '@ant-design/icons';
import type { DocsBlock, DocsSection } from '@orange-id/contract/docs.blocks';
import { useId, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { DocsCode } from './DocsCode';
import { useSectionInView } from './useSectionInView';
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

interface DocsHeadingProps {
  id: string;
  title: string;
  level: 2 | 3;
  /** Whether a link searches the community for the title. */
  hasSearch?: boolean;
}

/** A heading with a link to itself, so that its URL can be copied. */
export function DocsHeading({ id, title, level, hasSearch = false }: DocsHeadingProps) {
  const Heading = `h${level}` as const;
  const search = `Search the community for “${title}”`;
  return (
    <div className={styles.heading}>
      <Heading>{title}</Heading>
      <Link to={{ hash: id }} className={styles.anchor} aria-label={`Link to ${title}`}>
        #
      </Link>
      {hasSearch && (
        <Link
          to={`/community?${new URLSearchParams({ q: title })}`}
          className={styles.anchor}
          aria-label={search}
          title={search}
        >
          <CommentOutlined aria-hidden />
        </Link>
      )}
    </div>
  );
}

export const DocsSections = ({ sections }: { sections: readonly DocsSection<string>[] }) =>
  sections.map(({ id, title, blocks }) => (
    <section key={id} id={id} className={styles.section} aria-label={title}>
      <DocsHeading id={id} title={title} level={2} hasSearch />
      <DocsBlocks blocks={blocks} />
    </section>
  ));

/** Links to the sections of a page or panel: beside them, with the section in view marked, or collapsed on a narrow screen. */
export function DocsContents({ links }: { links: readonly { id: string; title: string }[] }) {
  const { search } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  const current = useSectionInView(links);
  return (
    <nav className={styles.contents} aria-label="On this page" data-open={isOpen || undefined}>
      <button type="button" aria-expanded={isOpen} aria-controls={list} onClick={() => setOpen(!isOpen)}>
        On this page
      </button>
      <ul id={list}>
        {links.map(({ id, title }) => (
          <li key={id}>
            <Link
              to={{ search, hash: id }}
              aria-current={id === current ? 'location' : undefined}
              onClick={() => setOpen(false)}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
