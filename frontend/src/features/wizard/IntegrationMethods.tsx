import { CodeOutlined, GithubOutlined, ReadOutlined } from '@ant-design/icons';
import { Button, Card } from 'antd';
import { useConfig } from '../../api/config.context';
import { storeIntegrationMethod } from '../../api/submitted.projects';

/** The three ways to put the login into an app (spec §2); the one chosen is noted in `submittedProjects`. */
export function IntegrationMethods({ projectId }: { projectId: string }) {
  const { links } = useConfig();
  const methods = [
    {
      method: 'template',
      icon: <GithubOutlined />,
      title: 'Template project',
      text: 'A ready app with the login in place. Clone it and put in your project id.',
      action: 'Use Template',
      href: links.templateProject,
    },
    {
      method: 'react',
      icon: <ReadOutlined />,
      title: 'React package',
      text: 'Add the login to an app you already have.',
      action: 'View Guide',
      href: links.reactGuide,
    },
    {
      method: 'script',
      icon: <CodeOutlined />,
      title: 'Script tag',
      text: 'A plain page that loads the login with a script tag, no build step.',
      action: 'View Example',
      href: links.scriptExample,
    },
  ];

  return (
    <Card title="Integrate">
      <ul className="wizard-methods">
        {methods.map(({ method, icon, title, text, action, href }) => (
          <li key={method}>
            <span className="wizard-method-icon" aria-hidden>
              {icon}
            </span>
            <div className="wizard-method-words">
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
    </Card>
  );
}
