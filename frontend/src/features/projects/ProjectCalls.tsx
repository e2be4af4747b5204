import { Card } from 'antd';
import { useLastCall } from '../../api/usage/last.call';
import { LiveCalls } from '../../ui/LiveCalls';
import { BlockedOrigins, type BlockedOriginsProps } from './BlockedOrigins';

type ProjectCallsProps = BlockedOriginsProps;

/** The project's latest calls, live, and its blocked origins. */
export function ProjectCalls(props: ProjectCallsProps) {
  const { project } = props;
  const lastCall = useLastCall(project.code);
  return (
    <Card>
      <section aria-labelledby="project-calls-title">
        <LiveCalls
          title={<h2 id="project-calls-title">API calls</h2>}
          lastCall={lastCall}
          projectId={project.code}
        />
        <BlockedOrigins {...props} />
      </section>
    </Card>
  );
}
