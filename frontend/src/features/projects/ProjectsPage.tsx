import '../../ui/light-card.css';
import '../../ui/rows.css';
import { PlusOutlined } from '@ant-design/icons';
import { type Project, projectCodePattern } from '@orange-id/contract/projects.schema';
import { useSelector } from '@xstate/react';
import { Alert, Flex, type InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useConfig } from '../../api/config/config.context';
import { projectPath } from '../../api/projects/project.path';
import { useProjects } from '../../api/projects/get.projects';
import { IntegrationMethods } from '../../ui/IntegrationMethods';
import { LinkButton } from '../../ui/LinkButton';
import { ListState } from '../../ui/ListState';
import { PageHead } from '../../ui/PageHead';
import { ProjectsShape } from '../../ui/PageShapes';
import { createFocusAfter } from './focus.after';
import { ProjectCalls } from './ProjectCalls';
import { DeleteProjectButton } from './DeleteProjectDialog';
import { ProjectDetail } from './ProjectDetail';
import { ConnectedWallets } from './ConnectedWallets';
import { ProjectDialogs, useLeaving, useProjectDialogs } from './ProjectDialogs';
import { OtherOrigins } from './OtherOrigins';
import { ProjectGames } from './ProjectGames';
import { ProjectUsers } from './ProjectUsers';
import { ProjectList } from './ProjectList';
import { chooseProject } from './shown.project';
import { useHasProjectUsers } from './useHasProjectUsers';
import styles from '../../ui/page-shapes.module.css';

/** `/projects`: the list of projects, and the one selected by `?project=`, its ID or its name. */
export function ProjectsPage() {
  const { data, error, isPending, isFetching, refetch } = useProjects();
  const [query] = useSearchParams();
  const hasUsers = useHasProjectUsers();
  const navigate = useNavigate();
  const projects = data ?? [];
  const wanted = query.get('project') || null;

  const [shown, setShown] = useState<Project | null>(null);
  const dialogs = useProjectDialogs(data, () => {
    // Navigate first: while the address still names the project, the page would report it as unknown.
    const left = Promise.resolve(navigate('/projects', { replace: true, flushSync: true }));
    void left.then(() => setShown(null));
  });
  const deletedHere = useSelector(dialogs.changes.deleteProject.actor, (snapshot) =>
    snapshot.hasTag('busy') || snapshot.hasTag('done') ? snapshot.context.subject?.project.code : undefined,
  );
  const choice = chooseProject(projects, wanted, shown);
  // A project deleted here stays on screen until the navigation, even if the refetched list arrives first.
  const isGoing = choice.gone !== null && choice.gone.code === deletedHere;
  const selected = isGoing ? choice.gone : choice.selected;
  const gone = isGoing ? null : choice.gone;
  useLeaving(dialogs, selected ? selected.code : data && !gone ? null : undefined);
  const isRenamed =
    wanted !== null &&
    choice.selected !== undefined &&
    ![choice.selected.code, choice.selected.projectName].includes(wanted);
  // While the address has the old name, `shown` keeps it too: that is how the project is found.
  if (choice.selected && choice.selected !== shown && !isRenamed) setShown(choice.selected);
  const renamedCode = isRenamed ? choice.selected?.code : undefined;
  useEffect(() => {
    if (renamedCode !== undefined) void navigate(projectPath(renamedCode), { replace: true });
  }, [navigate, renamedCode]);

  const { features } = useConfig();
  const [otherOrigin, setOtherOrigin] = useState('');
  const otherInput = useRef<InputRef>(null);

  const [{ heading, notice, page, next, row, nextRow }] = useState(createFocusAfter);
  const goneNotice = gone && (
    <div ref={notice} tabIndex={-1}>
      <Alert
        type="info"
        showIcon
        role="status"
        title={`“${gone.projectName}” was deleted in another tab or on another device`}
        description={
          projects.length === 0
            ? 'It was your only project.'
            : 'Its API key no longer works. Choose another project from the list.'
        }
      />
    </div>
  );

  const create = (
    <LinkButton type="primary" icon={<PlusOutlined aria-hidden />} to="/orange-id">
      Create New Project
    </LinkButton>
  );

  return (
    <>
      <div ref={page}>
        <PageHead
          title="My Projects"
          help="Each project has its own API key and a list of URLs that can use it."
          action={data?.length === 0 ? undefined : create}
        />
      </div>
      <Flex vertical gap={16}>
        {data?.length === 0 && goneNotice}
        <ListState
          isLoading={isPending}
          error={data ? null : error}
          errorTitle="Failed to load projects"
          isRetrying={isFetching}
          onRetry={() => void refetch()}
          isEmpty={projects.length === 0}
          emptyTitle="There are no projects to display"
          emptyHelp="Create your first project to get started"
          emptyAction={create}
          skeleton={<ProjectsShape />}
        >
          <div className={styles.projects}>
            <ProjectList projects={projects} selectedId={selected?.id ?? null} />
            {selected ? (
              <Flex vertical gap={16} key={selected.id}>
                <ProjectDetail project={selected} dialogs={dialogs} heading={heading} onRow={row} />
                {hasUsers && <ProjectUsers code={selected.code} />}
                <ProjectCalls
                  project={selected}
                  onAllow={(url, button, end) => {
                    row(button, end);
                    const { code, projectName } = selected;
                    dialogs.changes.allowOrigin.open({ project: { code, projectName }, url });
                  }}
                  onAllowOther={
                    features.embeddedProjects
                      ? (origin) => {
                          setOtherOrigin(origin);
                          otherInput.current?.focus();
                        }
                      : undefined
                  }
                />
                {features.embeddedProjects && (
                  <OtherOrigins
                    code={selected.code}
                    text={otherOrigin}
                    onText={setOtherOrigin}
                    input={otherInput}
                  />
                )}
                <ConnectedWallets code={selected.code} />
                {hasUsers && <ProjectGames code={selected.code} />}
                <IntegrationMethods projectId={selected.code} urls={selected.urls} hasLook />
                <Flex justify="flex-end">
                  <DeleteProjectButton project={selected} onOpen={dialogs.changes.deleteProject.open} />
                </Flex>
              </Flex>
            ) : (
              (goneNotice ?? (
                <Alert
                  type="info"
                  showIcon
                  role="status"
                  title={
                    projectCodePattern.test(wanted ?? '')
                      ? `There is no project with the ID ${wanted}`
                      : `There is no project called “${wanted}”`
                  }
                  description="It may have been deleted. Choose another project from the list."
                />
              ))
            )}
          </div>
        </ListState>
      </Flex>
      <ProjectDialogs dialogs={dialogs} focusAfter={next} rowFocusAfter={nextRow} />
    </>
  );
}
