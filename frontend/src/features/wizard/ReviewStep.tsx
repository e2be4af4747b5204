import { GlobalOutlined } from '@ant-design/icons';
import { Button, Card, Flex, Typography } from 'antd';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { projectPath } from '../../api/projects/project.path';
import { OriginText } from '../../ui/OriginText';
import type { WizardActor } from './wizard.selectors';
import type { ReadyProject } from './wizard.types';

/** Step 2 of a project that already exists: its URLs, read-only. They are edited in My Projects. */
export function ReviewStep({ actor, created }: { actor: WizardActor; created: ReadyProject }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const place = projectPath(created.projectId);
  return (
    <Card>
      <Flex vertical gap={16}>
        <Flex vertical gap={4}>
          <h2 ref={heading} tabIndex={-1}>
            {created.projectName} has already been created
          </h2>
          <Typography.Text type="secondary">
            To change its URLs, open it in <Link to={place}>My Projects</Link>. To create another project, go
            back and choose a different name.
          </Typography.Text>
        </Flex>
        <ul className="rows rows-framed rows-dense" aria-label="Allowed URLs">
          {created.urls.map((url) => (
            <li key={url}>
              <GlobalOutlined aria-hidden />
              <span className="rows-words">
                <OriginText origin={url} />
              </span>
            </li>
          ))}
        </ul>
        <Flex gap={8}>
          <Button onClick={() => actor.send({ type: 'step.back' })}>Back</Button>
          <Button type="primary" onClick={() => actor.send({ type: 'summary.open' })}>
            View summary
          </Button>
        </Flex>
      </Flex>
    </Card>
  );
}
