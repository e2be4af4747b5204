import { limits } from '@orange-id/contract/limits';
import type { Project } from '@orange-id/contract/projects.schema';
import { Link } from 'react-router-dom';
import { useProjects } from '../../api/projects/get.projects';
import { Ago } from '../../ui/Ago';
import { LoadFailure } from '../../ui/LoadFailure';
import { LinkButton } from '../../ui/LinkButton';

/** The first three projects, and a link to all of them. */
export function ProjectsCard() {
  const { data, error, isFetching, refetch } = useProjects();
  return (
    <section className="light-card profile-projects" aria-labelledby="profile-projects-title">
      <div className="light-card-head">
        <h2 id="profile-projects-title">Projects</h2>
        {data && (
          <Link className="light-card-link" to="/projects">
            View All Projects ({data.length})
          </Link>
        )}
      </div>
      {data ? (
        <Projects projects={data} />
      ) : error ? (
        <LoadFailure
          title="Failed to load projects"
          error={error}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className="profile-project-skeletons" role="status" aria-label="Loading">
          {Array.from({ length: limits.projectsOnProfile }, (_, index) => (
            <span key={index} className="skeleton skeleton-line-20" />
          ))}
        </div>
      )}
    </section>
  );
}

function Projects({ projects }: { projects: readonly Project[] }) {
  if (projects.length === 0)
    return (
      <div className="profile-empty">
        <strong>There are no projects to display</strong>
        <span>Create your first project to get started</span>
        <LinkButton to="/orange-id">Create New Project</LinkButton>
      </div>
    );
  return (
    <ul className="profile-list" aria-label="Projects">
      {projects.slice(0, limits.projectsOnProfile).map(({ id, projectName, urls, createdAt }) => (
        <li key={id}>
          <div className="profile-row-words">
            <Link to={`/projects?${new URLSearchParams({ project: projectName })}`}>{projectName}</Link>
            <span>
              {urls.length === 1 ? '1 allowed URL' : `${urls.length} allowed URLs`} · created{' '}
              <Ago iso={createdAt} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
