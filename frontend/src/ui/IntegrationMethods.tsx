import './rows.css';
import { CodeOutlined, GithubOutlined, ReadOutlined } from '@ant-design/icons';
import { Button, Card, Flex, Typography } from 'antd';
import { useConfig } from '../api/config/config.context';
import { storeIntegrationMethod } from '../api/projects/submitted.projects';
import { CallbackNote } from './CallbackNote';
import { CodeBlock } from './CodeBlock';
import styles from './integration-methods.module.css';

/**
 * The three ways to add the login to an app, with the settings they need. The chosen one is stored in
 * `submittedProjects`.
 */
export function IntegrationMethods({ projectId }: { projectId: string }) {
  const { links, identity } = useConfig();
  const { baseUrl, tenantId, subscriptionKey } = identity;
  const settings = Object.entries({ baseUrl, tenantId, subscriptionKey });
  const methods = [
    {
      method: 'template',
      icon: <GithubOutlined />,
      title: 'Template project',
      text: 'A working app with sign-in built in. Clone it and add the settings below.',
      action: 'Use Template',
      href: links.templateProject,
    },
    {
      method: 'react',
      icon: <ReadOutlined />,
      title: 'React package',
      text: 'Add sign-in to your existing React app.',
      action: 'View Guide',
      href: links.reactGuide,
    },
    {
      method: 'script',
      icon: <CodeOutlined />,
      title: 'Script tag',
      text: 'Add sign-in with a script tag. No build step needed.',
      action: 'View Example',
      href: links.scriptExample,
    },
  ];

  return (
    // Matches the heads of the neighbouring cards, which have no border.
    <Card title="Integrate" styles={{ header: { borderBottom: 0 }, body: { paddingTop: 0 } }}>
      <Flex vertical gap={12}>
        <ul className={`rows ${styles.root}`}>
          {methods.map(({ method, icon, title, text, action, href }) => (
            <li key={method}>
              <span className="rows-icon" aria-hidden>
                {icon}
              </span>
              <div className="rows-words">
                <strong>{title}</strong>
                <Typography.Text type="secondary">{text}</Typography.Text>
              </div>
              <Button
                href={href}
                target="_blank"
                rel="noopener noreferrer"
                onClick={() => storeIntegrationMethod(projectId, method)}
              >
                {action}
              </Button>
            </li>
          ))}
        </ul>
        <Typography.Text type="secondary" className="rows-end">
          The login widget needs these settings. <CallbackNote />
        </Typography.Text>
        <CodeBlock
          code={settings.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join('\n')}
          label="login widget settings"
          language="Login widget settings"
        />
      </Flex>
    </Card>
  );
}
