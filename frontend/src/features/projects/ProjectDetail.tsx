import { GlobalOutlined } from '@ant-design/icons';
import type { Project } from '@orange-id/contract/projects.schema';
import { Card } from 'antd';
import { useState, type ReactNode } from 'react';
import { Ago } from '../../ui/Ago';
import { CopyValue } from '../../ui/CopyValue';
import { SecretKey } from '../../ui/SecretKey';

/** One project: its key (masked, with reveal and copy), id, times and whitelisted domains. */
export function ProjectDetail({ project }: { project: Project }) {
  const [isRevealed, setIsRevealed] = useState(false);
  return (
    <Card className="project-detail">
      <section aria-label={`Project ${project.projectName}`}>
        <h2 className="project-detail-name">{project.projectName}</h2>
        <dl className="project-facts">
          <Fact term="API key" isWide>
            <SecretKey
              label="API key"
              value={project.apiKey}
              isRevealed={isRevealed}
              onToggle={() => setIsRevealed((before) => !before)}
            />
          </Fact>
          <Fact term="Project id" isWide>
            <CopyValue value={project.code} label="project id" />
          </Fact>
          <Fact term="Created">
            <Ago iso={project.createdAt} />
          </Fact>
          <Fact term="Last updated">
            <Ago iso={project.lastUpdatedAt} />
          </Fact>
          <Fact term={`Whitelisted domains (${project.urls.length})`} isWide>
            <ul className="project-urls">
              {project.urls.map((url) => (
                <li key={url}>
                  <GlobalOutlined aria-hidden />
                  <span>{url}</span>
                </li>
              ))}
            </ul>
          </Fact>
        </dl>
      </section>
    </Card>
  );
}

function Fact({ term, isWide = false, children }: { term: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={isWide ? 'project-fact project-fact-wide' : 'project-fact'}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
