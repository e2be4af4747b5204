import { CheckCircleFilled } from '@ant-design/icons';
import { Button, Card, Flex, Typography } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { projectPath } from '../../api/projects/project.path';
import { CopyValue } from '../../ui/CopyValue';
import { IntegrationMethods } from '../../ui/IntegrationMethods';
import { KeyCurl } from '../../ui/KeyCurl';
import { LinkButton } from '../../ui/LinkButton';
import { SecretKey } from '../../ui/SecretKey';
import { FirstCall } from './FirstCall';
import type { ReadyProject } from './wizard.types';
import styles from './wizard.module.css';

interface SummaryStepProps {
  created: ReadyProject;
  onBack: () => void;
}

/** Step 3: the key, the first call and the ways to integrate. */
export function SummaryStep({ created, onBack }: SummaryStepProps) {
  const [isRevealed, setIsRevealed] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const waiting = useRef<HTMLDivElement>(null);
  /** On a phone the first-call panel is below the fold. */
  const showWaiting = () => {
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    waiting.current?.scrollIntoView({ block: 'nearest', behavior: isStill ? 'auto' : 'smooth' });
  };

  return (
    <div className={`stack ${styles.summary}`}>
      <Card>
        <Flex vertical gap={20} className={styles.parts}>
          <h2 ref={heading} tabIndex={-1}>
            <CheckCircleFilled className={styles.done} aria-hidden /> {created.projectName} is ready
          </h2>
          <section aria-labelledby="wizard-key">
            <h3 id="wizard-key">API key</h3>
            <SecretKey
              label="API key"
              value={created.apiKey}
              isRevealed={isRevealed}
              onToggle={() => setIsRevealed((before) => !before)}
              onCopied={showWaiting}
            />
          </section>
          <section aria-labelledby="wizard-project-id">
            <h3 id="wizard-project-id">Project ID</h3>
            <CopyValue value={created.projectId} label="project ID" />
          </section>
          <section aria-labelledby="wizard-call">
            <h3 id="wizard-call">Make your first call</h3>
            <Typography.Paragraph type="secondary">
              Run this in a terminal. The call appears below within a second.
            </Typography.Paragraph>
            <KeyCurl apiKey={created.apiKey} isRevealed={isRevealed} onCopied={showWaiting} />
            <div ref={waiting} className={styles.firstCallPlace}>
              <FirstCall key={created.projectId} projectId={created.projectId} />
            </div>
          </section>
        </Flex>
      </Card>
      <IntegrationMethods projectId={created.projectId} urls={created.urls} />
      <Flex gap={8}>
        <Button onClick={onBack}>Back</Button>
        {created.projectId && (
          <LinkButton type="primary" to={projectPath(created.projectId)}>
            View Project
          </LinkButton>
        )}
      </Flex>
    </div>
  );
}
