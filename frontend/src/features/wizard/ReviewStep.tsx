import { GlobalOutlined } from '@ant-design/icons';
import { Button, Card, Typography } from 'antd';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { WizardActor } from './wizard.selectors';
import type { ReadyProject } from './wizard.types';

/** Step 2 of a project that already exists: its URLs, read-only. They are edited in My Projects. */
export function ReviewStep({ actor, created }: { actor: WizardActor; created: ReadyProject }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const place = `/projects?${new URLSearchParams({ project: created.projectName })}`;
  return (
    <Card>
      <div className="wizard-form">
        <div>
          <h2 ref={heading} tabIndex={-1} className="wizard-heading">
            {created.projectName} has already been created
          </h2>
          <Typography.Text type="secondary">
            To change its URLs, open it in <Link to={place}>My Projects</Link>. To create another project, go
            back and choose a different name.
          </Typography.Text>
        </div>
        <ul className="wizard-urls" aria-label="Allowed URLs">
          {created.urls.map((url) => (
            <li key={url} className="wizard-url-kept">
              <GlobalOutlined aria-hidden />
              <span className="wizard-url">{url}</span>
            </li>
          ))}
        </ul>
        <div className="wizard-actions">
          <Button onClick={() => actor.send({ type: 'step.back' })}>Back</Button>
          <Button type="primary" onClick={() => actor.send({ type: 'summary.open' })}>
            View summary
          </Button>
        </div>
      </div>
    </Card>
  );
}
