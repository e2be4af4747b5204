import type { Project } from '@orange-id/contract/projects.schema';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';

interface ProjectListProps {
  projects: readonly Project[];
  selectedId: string | null;
}

/** The user's projects as links, so that each selection has an address of its own. */
export function ProjectList({ projects, selectedId }: ProjectListProps) {
  const selected = useRef<HTMLAnchorElement>(null);
  // An address may select a project below the fold of a long list.
  // In braces: some browsers answer with a promise, which an effect may not return.
  useEffect(() => {
    selected.current?.scrollIntoView({ block: 'nearest' });
  }, [selectedId]);

  return (
    <nav aria-label="Projects" className="project-list">
      <ul>
        {projects.map(({ id, projectName, urls }) => (
          <li key={id}>
            <Link
              ref={id === selectedId ? selected : undefined}
              to={`?${new URLSearchParams({ project: projectName })}`}
              aria-current={id === selectedId ? 'true' : undefined}
            >
              <span className="project-list-name">{projectName}</span>
              <span className="project-list-note">{domainsText(urls)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function domainsText(urls: readonly string[]): string {
  const [first, ...others] = urls;
  if (first === undefined) return 'No domains';
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
