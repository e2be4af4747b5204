import './rows.css';
import { CodeOutlined, DownloadOutlined, ReadOutlined } from '@ant-design/icons';
import { exampleAddress } from '@orange-id/contract/example.page';
import { Button, Card, Flex, Typography } from 'antd';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useConfig } from '../api/config/config.context';
import { servesTenants } from '../api/config/serves.tenants';
import { storeIntegrationMethod } from '../api/projects/submitted.projects';
import { CodeBlock } from './CodeBlock';
import { LinkButton } from './LinkButton';
import { saveFile } from './save.file';
import { SignInCode } from './SignInCode';
import { SignInPlaces } from './SignInPlaces';
import { useToast } from './toast';
import styles from './integration-methods.module.css';

/** Where the documentation explains the ways to sign in. */
const guidePath = (project: string) => `/docs?${new URLSearchParams({ project })}#authentication-sign-in`;

interface IntegrationMethodsProps {
  projectId: string;
  /** The project's allowed URLs. */
  urls: readonly string[];
  /** Whether to link to the look of the project's login widget. */
  hasLook?: boolean;
}

/**
 * The ways to add sign-in to an app: a template, a guide, an example, and code with the project's values. The last
 * chosen one is stored in `submittedProjects`. A link that the configuration sets leads outside; the portal's own ones
 * are there only if apps sign in with it.
 */
export function IntegrationMethods({ projectId, urls, hasLook = false }: IntegrationMethodsProps) {
  const config = useConfig();
  const { templateProject, reactGuide, scriptExample } = config.links;
  const isOwn = servesTenants(config);
  const example = isOwn ? exampleAddress(projectId) : null;
  const choose = (method: string) => () => storeIntegrationMethod(projectId, method);
  const outside = (action: string, href: string | null, onClick: () => void) =>
    href && (
      <Button href={href} target="_blank" rel="noopener noreferrer" onClick={onClick}>
        {action}
      </Button>
    );

  return (
    // Matches the heads of the neighbouring cards, which have no border.
    <Card
      title="Integrate"
      styles={{ header: { borderBottom: 0 }, body: { paddingTop: 0 } }}
      extra={
        hasLook &&
        isOwn && (
          <Link to={`/customisation?${new URLSearchParams({ project: projectId })}`}>
            Customise the login widget
          </Link>
        )
      }
    >
      <Flex vertical gap={20} className={styles.parts}>
        <ul className={`rows ${styles.root}`}>
          <Method
            icon={<DownloadOutlined />}
            title="Template project"
            text="A React app with sign-in, a page for members and a server. Run npm install, then npm run dev."
          >
            {outside('Use Template', templateProject, choose('template')) ??
              (isOwn && <TemplateButton projectId={projectId} onChosen={choose('template')} />)}
          </Method>
          <Method
            icon={<ReadOutlined />}
            title="React package"
            text="Add sign-in to your existing React app."
          >
            {outside('View Guide', reactGuide, choose('react')) ??
              (isOwn && (
                <LinkButton to={guidePath(projectId)} onGo={choose('react')}>
                  View Guide
                </LinkButton>
              ))}
          </Method>
          <Method
            icon={<CodeOutlined />}
            title="Script tag"
            text="Add sign-in with a script tag. No build step needed."
          >
            {outside('View Example', scriptExample ?? example, choose('script'))}
          </Method>
        </ul>
        <Typography.Text type="secondary">
          <SignInPlaces />
        </Typography.Text>
        {isOwn ? <SignInCode projectId={projectId} urls={urls} /> : <HostedSettings />}
      </Flex>
    </Card>
  );
}

/** A row, if there is something to choose. */
function Method(props: { icon: ReactNode; title: string; text: string; children: ReactNode }) {
  const { icon, title, text, children } = props;
  if (!children) return null;
  return (
    <li>
      <span className="rows-icon" aria-hidden>
        {icon}
      </span>
      <div className="rows-words">
        <strong>{title}</strong>
        <Typography.Text type="secondary">{text}</Typography.Text>
      </div>
      {children}
    </li>
  );
}

/** Downloads the template project with the values of this one. The archive's code loads on the first click. */
function TemplateButton({ projectId, onChosen }: { projectId: string; onChosen: () => void }) {
  const { publicUrl } = useConfig();
  const showToast = useToast();
  const [isLoading, setLoading] = useState(false);
  const download = async () => {
    onChosen();
    setLoading(true);
    try {
      const { templateArchive } = await import('./template.archive');
      const archive = templateArchive({ portalUrl: publicUrl, projectId });
      saveFile('orange-id-app.zip', new Blob([archive], { type: 'application/zip' }));
    } catch {
      const description = 'The template couldn’t be saved. Check your connection, then try again.';
      showToast({ tone: 'error', title: 'Download Failed', description });
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button loading={isLoading} onClick={() => void download()}>
      Use Template
    </Button>
  );
}

/** What the login widget needs with a hosted identity service. */
function HostedSettings() {
  const { baseUrl, tenantId, subscriptionKey } = useConfig().identity;
  const settings = Object.entries({ baseUrl, tenantId, subscriptionKey });
  return (
    <CodeBlock
      code={settings.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join('\n')}
      label="login widget settings"
      language="Login widget settings"
    />
  );
}
