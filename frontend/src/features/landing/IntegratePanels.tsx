import { ApiOutlined, CodeOutlined, DownOutlined, ReadOutlined } from '@ant-design/icons';
import { curlFor } from '@orange-id/contract/call.snippets';
import { keyPath } from '@orange-id/contract/first.call';
import {
  passportApp,
  projectIdPlaceholder,
  scriptTag,
  signInSnippets,
} from '@orange-id/contract/integration.snippets';
import { useId, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useConfig } from '../../api/config/config.context';
import { servesTenants } from '../../api/config/serves.tenants';
import { CodeBlock } from '../../ui/CodeBlock';
import { GoTo } from '../../ui/GoTo';
import { SignInPlaces } from '../../ui/SignInPlaces';
import { useDocsLink } from '../../ui/useDocsLink';
import { useHydrated } from '../../ui/useHydrated';
import { panels } from './landing.text';
import styles from './landing.module.css';

type PanelName = keyof typeof panels;

/** The three expandable panels: one is open at a time, and clicking the open one closes it. */
export function IntegratePanels() {
  const [open, setOpen] = useState<PanelName | null>(null);
  const panel = (name: PanelName) => ({
    title: panels[name].title,
    isOpen: open === name,
    onToggle: (head: HTMLElement) => keepInPlace(head, () => setOpen(open === name ? null : name)),
  });
  return (
    <div className={styles.panels}>
      <Panel {...panel('widget')} icon={<CodeOutlined />}>
        <WidgetPanel />
      </Panel>
      <Panel {...panel('api')} icon={<ApiOutlined />}>
        <ApiPanel />
      </Panel>
      <Panel {...panel('docs')} icon={<ReadOutlined />}>
        <DocsPanel />
      </Panel>
    </div>
  );
}

/**
 * Makes a change, then scrolls by as much as it moved the element, so that a clicked panel stays under the pointer when
 * one above it closes.
 */
function keepInPlace(element: HTMLElement, change: () => void): void {
  const before = element.getBoundingClientRect().top;
  flushSync(change);
  const by = element.getBoundingClientRect().top - before;
  if (by !== 0) window.scrollBy({ top: by, behavior: 'instant' });
}

interface PanelProps {
  title: string;
  icon: ReactNode;
  isOpen: boolean;
  onToggle: (head: HTMLElement) => void;
  /** Rendered only while the panel is open, so never at build time, when the URLs in its code samples are unknown. */
  children: ReactNode;
}

function Panel({ title, icon, isOpen, onToggle, children }: PanelProps) {
  const id = useId();
  const isHydrated = useHydrated();
  return (
    <div className={styles.panel}>
      <h3>
        <button
          type="button"
          id={`${id}-head`}
          disabled={!isHydrated}
          aria-expanded={isOpen}
          aria-controls={`${id}-body`}
          onClick={({ currentTarget }) => onToggle(currentTarget)}
        >
          <span className={styles.panelIcon} aria-hidden>
            {icon}
          </span>
          {title}
          <DownOutlined className={styles.panelMark} aria-hidden />
        </button>
      </h3>
      <div
        role="region"
        id={`${id}-body`}
        aria-labelledby={`${id}-head`}
        className={styles.panelBody}
        hidden={!isOpen}
      >
        {isOpen && children}
      </div>
    </div>
  );
}

function WidgetPanel() {
  const config = useConfig();
  const { help, helpHosted, guide } = panels.widget;
  const isOwn = servesTenants(config);
  const app = { portalUrl: config.publicUrl, projectId: projectIdPlaceholder };
  return (
    <>
      <p>{isOwn ? help : helpHosted}</p>
      {isOwn && <CodeBlock label="script tag" language="Script tag" code={scriptTag(app)} />}
      <CodeBlock
        label="login widget"
        language={signInSnippets.react.file}
        code={isOwn ? signInSnippets.react.write(app) : passportApp(config.identity)}
      />
      <p className={styles.panelNote}>
        <SignInPlaces />{' '}
        {isOwn && (
          <GoTo to="/docs#authentication-sign-in" className={styles.textLink}>
            {guide}
          </GoTo>
        )}
      </p>
    </>
  );
}

function ApiPanel() {
  const { publicUrl } = useConfig();
  const { answer, help, illustrations } = panels.api;
  return (
    <>
      <p>{help}</p>
      <CodeBlock
        label="curl command"
        language="Terminal"
        code={curlFor(keyPath, { baseUrl: publicUrl, apiKey: 'YOUR_API_KEY' })}
      />
      <CodeBlock
        label="example response"
        language={answer}
        code={JSON.stringify(keyPath.samples[0].body, null, 2)}
      />
      <p id="illustrations" className={styles.panelNote}>
        {illustrations.title}
      </p>
      <ul className={styles.illustrations} aria-labelledby="illustrations">
        {illustrations.calls.map((call) => (
          <li key={call}>
            <code>{call}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

function DocsPanel() {
  const config = useConfig();
  const docsLink = useDocsLink();
  const { docs, api, faq, feedback } = panels.docs.links;
  const links = [
    { ...docs, ...docsLink },
    { ...api, to: '/api' },
    { ...faq, to: '/faq' },
    { ...feedback, to: config.links.feedback, isExternal: true },
  ];
  return (
    <>
      <p>{panels.docs.help}</p>
      <ul className={styles.docsLinks}>
        {links.map(({ title, help, ...target }) => (
          <li key={title}>
            <GoTo {...target} className={styles.textLink}>
              {title}
            </GoTo>
            <p>{help}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
