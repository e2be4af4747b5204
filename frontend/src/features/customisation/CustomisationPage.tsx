import { Alert, Select } from 'antd';
import { useCallback, useEffect, useState } from 'react';
import { useBlocker, useSearchParams } from 'react-router-dom';
import { useConfig } from '../../api/config/config.context';
import { useProjects } from '../../api/projects/get.projects';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { EndedText } from '../../ui/EndedText';
import { LinkButton } from '../../ui/LinkButton';
import { ListState } from '../../ui/ListState';
import { PageHead } from '../../ui/PageHead';
import { ConfiguratorFrame } from './ConfiguratorFrame';
import { readLastProject, writeLastProject } from './draft.storage';

/** `/customisation`: the look of a project's login widget, edited in a frame. */
export function CustomisationPage() {
  const { publicUrl, identity, links } = useConfig();
  const { data: projects = [], error, isPending, isFetching, refetch } = useProjects();
  const [query, setQuery] = useSearchParams();
  const [isUnsaved, setUnsaved] = useState(false);
  const asked = query.get('project');
  const known = (code: string | null) => projects.find((each) => each.code === code);
  const named = known(asked) ?? projects.find(({ projectName }) => projectName === asked);
  const project = named ?? known(readLastProject()) ?? projects[0];
  const code = project?.code;
  useEffect(() => {
    if (code !== undefined) writeLastProject(code);
  }, [code]);

  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved &&
      (currentLocation.pathname !== nextLocation.pathname || currentLocation.search !== nextLocation.search),
  );
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
  const onUnsaved = useCallback((isNow: boolean) => setUnsaved(isNow), []);
  const isHostedElsewhere = identity.baseUrl !== publicUrl;

  return (
    <>
      <PageHead
        title="Widget Customisation"
        help="Customize your widgets and appearance settings"
        action={
          projects.length > 1 &&
          !isHostedElsewhere && (
            <Select
              aria-label="Project"
              value={code}
              options={projects.map((each) => ({ value: each.code, label: each.projectName }))}
              onChange={(chosen) => setQuery({ project: chosen })}
              popupMatchSelectWidth={false}
              labelRender={({ label }) => <EndedText text={String(label)} />}
            />
          )
        }
      />
      {isHostedElsewhere ? (
        <Alert
          type="info"
          showIcon
          title="Appearance is managed at the identity service"
          description={`This portal signs people in at ${identity.baseUrl}, which also decides how its login widget looks.`}
        />
      ) : (
        <ListState
          isLoading={isPending}
          error={error}
          errorTitle="Failed to load projects"
          // A failed refetch must not take the editor away.
          isPartial={projects.length > 0}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
          isEmpty={project === undefined}
          emptyTitle="There are no projects to customise"
          emptyHelp="Create a project first. Its login widget gets the look that you choose here."
          emptyAction={
            <LinkButton to="/orange-id" type="primary">
              Create New Project
            </LinkButton>
          }
        >
          {asked !== null && named === undefined && (
            <Alert
              type="info"
              showIcon
              title={`You have no project ${asked}. This is ${project?.projectName}.`}
            />
          )}
          {project && (
            <ConfiguratorFrame
              key={project.code}
              project={project}
              hosted={links.configurator}
              onUnsaved={onUnsaved}
            />
          )}
        </ListState>
      )}
      <ConfirmDialog
        isOpen={blocker.state === 'blocked'}
        title="Leave without saving?"
        act="Leave"
        busyAct="Leaving"
        isBusy={false}
        isDangerous={false}
        onConfirm={() => blocker.proceed?.()}
        onCancel={() => blocker.reset?.()}
      >
        Your changes are not saved. This tab keeps them until you close it.
      </ConfirmDialog>
    </>
  );
}
