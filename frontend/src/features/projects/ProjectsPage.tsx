import { PlusOutlined } from '@ant-design/icons';
import { Alert, Skeleton } from 'antd';
import { useSearchParams } from 'react-router-dom';
import { useProjects } from '../../api/get.projects';
import { LinkButton } from '../../ui/LinkButton';
import { ListState } from '../../ui/ListState';
import { PageHead } from '../../ui/PageHead';
import { ProjectDetail } from './ProjectDetail';
import { ProjectList } from './ProjectList';
import './projects.css';

/** `/projects` (spec §2): the list, and the project selected by name, also by `?project=name`. */
export function ProjectsPage() {
  const { data, error, isPending, isFetching, refetch } = useProjects();
  const [query] = useSearchParams();
  const projects = data ?? [];
  const name = query.get('project');
  const selected = name === null ? projects[0] : projects.find(({ projectName }) => projectName === name);

  return (
    <>
      <PageHead
        title="My Projects"
        help="Each project has its own API key and the sites that may use it."
        action={
          <LinkButton type="primary" icon={<PlusOutlined aria-hidden />} to="/orange-id">
            Create New Project
          </LinkButton>
        }
      />
      <ListState
        isLoading={isPending || (error !== null && isFetching)}
        error={data ? null : error}
        errorTitle="Failed to load projects"
        onRetry={() => void refetch()}
        isEmpty={projects.length === 0}
        emptyTitle="There are no projects to display"
        emptyHelp="Create your first project to get started"
        skeleton={<ProjectsSkeleton />}
      >
        <div className="projects">
          <ProjectList projects={projects} selectedId={selected?.id ?? null} />
          {selected ? (
            <ProjectDetail key={selected.id} project={selected} />
          ) : (
            <Alert
              type="info"
              showIcon
              role="status"
              title={`There is no project called “${name}”`}
              description="It may have been deleted. Choose one from the list."
            />
          )}
        </div>
      </ListState>
    </>
  );
}

function ProjectsSkeleton() {
  return (
    <div className="projects">
      <div className="projects-skeleton">
        <Skeleton active title={false} paragraph={{ rows: 5 }} />
      </div>
      <div className="projects-skeleton">
        <Skeleton active paragraph={{ rows: 8 }} />
      </div>
    </div>
  );
}
