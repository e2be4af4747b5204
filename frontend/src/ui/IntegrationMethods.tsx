import { CodeOutlined, GithubOutlined, ReadOutlined } from '@ant-design/icons';
import { Button, Card } from 'antd';
import { useConfig } from '../api/config/config.context';
import { storeIntegrationMethod } from '../api/projects/submitted.projects';
import { CallbackNote } from './CallbackNote';
import { CodeBlock } from './CodeBlock';
import './integration-methods.css';

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
    <Card title="Integrate" className="integration-card">
      <ul className="integration-methods">
        {methods.map(({ method, icon, title, text, action, href }) => (
          <li key={method}>
            <span className="integration-method-icon" aria-hidden>
              {icon}
            </span>
            <div className="integration-method-words">
              <strong>{title}</strong>
              <span>{text}</span>
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
      <p className="integration-note">
        The login widget needs these settings. <CallbackNote />
      </p>
      <CodeBlock
        code={settings.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join('\n')}
        label="login widget settings"
        language="Login widget settings"
      />
    </Card>
  );
}
