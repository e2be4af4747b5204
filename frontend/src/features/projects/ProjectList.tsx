import type { Project } from '@orange-id/contract/projects.schema';
import { readableHost } from '@orange-id/contract/readable.host';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { projectPath } from '../../api/projects/project.path';
import { findIn, needsFinder } from '../../ui/list.finder';
import { ListFinder, type ListSearch } from '../../ui/ListFinder';
import styles from './projects.module.css';

interface ProjectListProps {
  projects: readonly Project[];
  selectedId: string | null;
}

/** The user's projects as links, so that each selection has its own URL. A long list can be searched. */
export function ProjectList({ projects, selectedId }: ProjectListProps) {
  const [search, setSearch] = useState<ListSearch>({ text: '', order: 'newest' });
  const isLong = needsFinder(projects.length);
  const shown = isLong
    ? findIn(projects, search, ({ projectName: name, createdAt, urls }) => ({
        name,
        createdAt,
        texts: [...urls, ...urls.map(readableHost)],
      }))
    : projects;
  const selected = useRef<HTMLAnchorElement>(null);
  // The address can select a project below the fold of a long list. The braces drop the return value: it is a promise
  // in some browsers, and an effect must not return one.
  useEffect(() => {
    selected.current?.scrollIntoView({ block: 'nearest' });
  }, [selectedId]);

  return (
    <nav aria-label="Projects" className={`light-card ${styles.projectList}`}>
      {isLong && (
        <div className={styles.projectFinder}>
          <ListFinder
            what="projects"
            search={search}
            orders={['newest', 'oldest', 'name']}
            onChange={setSearch}
          />
        </div>
      )}
      <ul>
        {shown.map(({ id, code, projectName, urls }) => (
          <li key={id}>
            <Link
              ref={id === selectedId ? selected : undefined}
              to={projectPath(code)}
              aria-current={id === selectedId ? 'true' : undefined}
            >
              <strong>{projectName}</strong>
              <span className="note" title={urls[0]}>
                {urlsText(urls)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {isLong && (
        <p
          className={shown.length === 0 ? `note ${styles.projectListNone}` : 'visually-hidden'}
          role="status"
        >
          {shown.length === 0
            ? 'No project matches your search.'
            : search.text.trim() !== '' && `${shown.length} of ${projects.length} projects`}
        </p>
      )}
    </nav>
  );
}

function urlsText(urls: readonly string[]): string {
  const [first, ...others] = urls.map(readableHost);
  if (first === undefined) return 'No allowed URLs';
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
