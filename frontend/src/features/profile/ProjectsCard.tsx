import { limits } from '@orange-id/contract/limits';
import { Link } from 'react-router-dom';
import { useProjects } from '../../api/projects/get.projects';
import { projectPath } from '../../api/projects/project.path';
import { Ago } from '../../ui/Ago';
import { LinkButton } from '../../ui/LinkButton';
import { ListState } from '../../ui/ListState';
import { RowsShape } from '../../ui/PageShapes';

/** The first three projects, and a link to all of them. */
export function ProjectsCard() {
  const { data, error, isFetching, refetch } = useProjects();
  return (
    <section className="light-card" aria-labelledby="profile-projects-title">
      <div className="light-card-head">
        <h2 id="profile-projects-title">Projects</h2>
        {data && (
          <Link className="action-link" to="/projects">
            View All Projects ({data.length})
          </Link>
        )}
      </div>
      <ListState
        isLoading={!data && !error}
        error={data ? null : error}
        errorTitle="Failed to load projects"
        isRetrying={isFetching}
        onRetry={() => void refetch()}
        isEmpty={data?.length === 0}
        emptyTitle="There are no projects to display"
        emptyHelp="Create your first project to get started"
        emptyAction={<LinkButton to="/orange-id">Create New Project</LinkButton>}
        skeleton={<RowsShape count={limits.projectsOnProfile} hasActions={false} />}
      >
        <ul className="rows" aria-label="Projects">
          {data?.slice(0, limits.projectsOnProfile).map(({ id, code, projectName, urls, createdAt }) => (
            <li key={id}>
              <div className="rows-words">
                <Link to={projectPath(code)}>{projectName}</Link>
                <span className="note">
                  <span>{urls.length === 1 ? '1 allowed URL' : `${urls.length} allowed URLs`}</span> · created{' '}
                  <Ago iso={createdAt} />
                </span>
              </div>
            </li>
          ))}
        </ul>
      </ListState>
    </section>
  );
}
