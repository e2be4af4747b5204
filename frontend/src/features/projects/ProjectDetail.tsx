import { DeleteOutlined, EditOutlined, GlobalOutlined, PlusOutlined } from '@ant-design/icons';
import type { Project } from '@orange-id/contract/projects.schema';
import { readableHost } from '@orange-id/contract/readable.host';
import { isWildcardUrl } from '@orange-id/contract/whitelist.rule';
import { Button, Card, Flex } from 'antd';
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { useConfig } from '../../api/config/config.context';
import { Ago } from '../../ui/Ago';
import { CopyValue } from '../../ui/CopyValue';
import { KeyCurl } from '../../ui/KeyCurl';
import { OriginText } from '../../ui/OriginText';
import type { Dialogs } from './ProjectDialogs';
import { ProjectKey } from './ProjectKey';
import styles from '../../ui/page-shapes.module.css';

interface ProjectDetailProps {
  project: Project;
  dialogs: Dialogs;
  /** Takes the focus when the focused element is removed. */
  heading: RefObject<HTMLHeadingElement | null>;
  /** Called with the button that removes a URL and the one below the list, to restore the focus afterwards. */
  onRow: (button: HTMLElement, end: HTMLElement | null) => void;
}

/** The selected project: its key (masked, with reveal and copy), ID, dates and allowed URLs, and buttons to change them. */
export function ProjectDetail({ project, dialogs, heading, onRow }: ProjectDetailProps) {
  const [isRevealed, setIsRevealed] = useState(false);
  const { embeddedProjects } = useConfig().features;
  const adding = useRef<HTMLButtonElement>(null);
  const { code, projectName, urls } = project;
  const chosen = { code, projectName };
  return (
    <Card>
      <Flex component="section" vertical gap={20} aria-label={`Project ${projectName}`}>
        <Flex align="start" justify="space-between" gap={8}>
          <h2 ref={heading} tabIndex={-1}>
            {projectName}
          </h2>
          {embeddedProjects && (
            <Button
              type="text"
              icon={<EditOutlined aria-hidden />}
              onClick={() => dialogs.changes.renameProject.open({ project: chosen, name: projectName })}
            >
              Rename
            </Button>
          )}
        </Flex>
        <dl className={styles.facts}>
          <Fact term="API key" isWide>
            <ProjectKey
              project={project}
              isRevealed={isRevealed}
              onReveal={setIsRevealed}
              onUpdate={() => dialogs.updateKey.send({ type: 'key.update', project: chosen })}
            />
          </Fact>
          <Fact term="Make a call" isWide>
            <KeyCurl apiKey={project.apiKey} isRevealed={isRevealed} />
          </Fact>
          <Fact term="Project ID" isWide>
            <CopyValue value={code} label="project ID" />
          </Fact>
          <Fact term="Created">
            <Ago iso={project.createdAt} />
          </Fact>
          <Fact term="Last updated">
            <Ago iso={project.lastUpdatedAt} />
          </Fact>
          <Fact term={`Allowed URLs (${urls.length})`} isWide>
            <ul className="rows rows-dense">
              {urls.map((url) => (
                <li key={url}>
                  <GlobalOutlined aria-hidden />
                  <span className="rows-words">
                    <OriginText origin={url} />
                  </span>
                  {isWildcardUrl(url) && <span className="note">API calls only</span>}
                  {urls.length > 1 && (
                    <Button
                      type="text"
                      size="small"
                      icon={<DeleteOutlined />}
                      aria-label={`Remove ${readableHost(url)}`}
                      onClick={({ currentTarget }) => {
                        onRow(currentTarget, adding.current);
                        dialogs.changes.removeUrl.open({ project: chosen, url });
                      }}
                    />
                  )}
                </li>
              ))}
            </ul>
            <Button
              ref={adding}
              icon={<PlusOutlined aria-hidden />}
              onClick={() =>
                dialogs.addUrls.actor.send({
                  type: 'dialog.open',
                  project: chosen,
                  urls,
                  draft: dialogs.addUrls.draftOf(code),
                })
              }
            >
              Add URLs
            </Button>
          </Fact>
        </dl>
      </Flex>
    </Card>
  );
}

function Fact({ term, isWide = false, children }: { term: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={isWide ? styles.factsWide : undefined}>
      <dt className="note">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
