import { CodeOutlined, KeyOutlined, LoginOutlined } from '@ant-design/icons';
import { curlFor, meteredPaths } from '@orange-id/contract/metered.paths';
import { useConfig } from '../../api/config.context';
import { CodeBlock } from '../../ui/CodeBlock';
import { GoTo } from '../../ui/GoTo';
import { LinkButton } from '../../ui/LinkButton';
import './landing.css';

const steps = [
  {
    icon: <LoginOutlined />,
    title: 'Sign In via OAuth',
    help: 'Google, Apple, e-mail or a wallet. The account you have is enough.',
  },
  {
    icon: <KeyOutlined />,
    title: 'Get API Key',
    help: 'Name a project, list the domains it runs on, copy its key.',
  },
  {
    icon: <CodeOutlined />,
    title: 'Deploy Widget',
    help: 'Add the sign-in panel to your pages and watch the calls arrive.',
  },
];

/** The landing page of signed-out visitors: hero and the three steps. */
export function LandingPage() {
  const { publicUrl, links } = useConfig();
  const answer = meteredPaths.key.samples.find(({ statusCode }) => statusCode === 200)?.body;

  return (
    <div className="landing">
      <section className="hero" aria-labelledby="hero-title">
        <div className="hero-words">
          <h1 id="hero-title">Build, Launch, and Scale with Orange ID</h1>
          <p>
            Sign-in with Google, Apple, e-mail or a crypto wallet for your own app, one API key per project,
            and every call in view the moment it is made.
          </p>
          <div className="hero-acts">
            <LinkButton to="/orange-id" type="primary" size="large">
              Start Building
            </LinkButton>
            <GoTo to={links.docs} isExternal className="hero-docs">
              Explore Docs
            </GoTo>
          </div>
        </div>
        <div className="hero-code">
          <CodeBlock
            label="curl command"
            language="Terminal"
            code={curlFor(meteredPaths.key, { baseUrl: publicUrl, apiKey: 'YOUR_API_KEY' })}
          />
          <CodeBlock
            label="example answer"
            language="Example answer · 200 OK"
            code={JSON.stringify(answer, null, 2)}
          />
        </div>
      </section>
      <ol className="steps" aria-label="Three steps">
        {steps.map(({ icon, title, help }, index) => (
          <li key={title}>
            <span className="step-number">{index + 1}</span>
            <h2>
              <span className="step-icon" aria-hidden>
                {icon}
              </span>
              {title}
            </h2>
            <p>{help}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
