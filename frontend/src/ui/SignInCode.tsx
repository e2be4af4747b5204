import {
  pinnedScriptTag,
  scriptTag,
  serverSnippets,
  signInSnippets,
  type IntegratedApp,
  type ServerLanguage,
  type SignInWay,
  viteProxy,
} from '@orange-id/contract/integration.snippets';
import { Segmented, Typography } from 'antd';
import { useState } from 'react';
import { useConfig } from '../api/config/config.context';
import { CodeBlock } from './CodeBlock';
import styles from './integration-methods.module.css';

const ways = Object.keys(signInSnippets) as SignInWay[];
const runs: Record<ServerLanguage, string> = { node: 'node server.mjs', python: 'python3 server.py' };
const languages = Object.keys(serverSnippets) as ServerLanguage[];

/** Complete code for a project: to sign in from a page, and to verify the access token on a server. */
export function SignInCode({ projectId, urls }: Pick<IntegratedApp, 'projectId' | 'urls'>) {
  const { publicUrl, loader } = useConfig();
  const [way, setWay] = useState<SignInWay>('script');
  const [language, setLanguage] = useState<ServerLanguage>('node');
  const app = { portalUrl: publicUrl, projectId, ...(urls && { urls }) };
  const page = signInSnippets[way];
  const server = serverSnippets[language];
  return (
    <>
      <section className="stack" aria-labelledby="integrate-page">
        <h3 id="integrate-page">Sign in from your page</h3>
        <Segmented<SignInWay>
          className={styles.choice}
          aria-label="Way to sign in"
          value={way}
          options={ways.map((value) => ({ value, label: signInSnippets[value].title }))}
          onChange={setWay}
        />
        {way === 'script' && <CodeBlock label="script tag" language="Script tag" code={scriptTag(app)} />}
        <CodeBlock key={way} label={page.label} language={page.file} code={page.write(app)} />
        {way === 'script' && loader && (
          <>
            <Typography.Text type="secondary">
              To pin the version, use this tag instead. Browsers refuse a changed file.
            </Typography.Text>
            <CodeBlock
              label="pinned script tag"
              language="Pinned script tag"
              code={pinnedScriptTag(app, loader)}
            />
          </>
        )}
      </section>
      <section className="stack" aria-labelledby="integrate-server">
        <h3 id="integrate-server">Verify on your server</h3>
        <Typography.Text type="secondary">
          The code above sends its access token to <code>/api/me</code>. This server checks who issued it, for
          which project and on which site.{' '}
          {way === 'react' ? (
            <>
              Run <code>{runs[language]}</code>, and let Vite forward the calls to it:
            </>
          ) : (
            <>
              Save it beside <code>index.html</code>, run <code>{runs[language]}</code> and open
              http://localhost:8787.
            </>
          )}
        </Typography.Text>
        {way === 'react' && <CodeBlock label="Vite proxy" language="vite.config.js" code={viteProxy} />}
        <Segmented<ServerLanguage>
          className={styles.choice}
          aria-label="Language of the server"
          value={language}
          options={languages.map((value) => ({ value, label: serverSnippets[value].title }))}
          onChange={setLanguage}
        />
        <CodeBlock key={language} label={server.label} language={server.file} code={server.write(app)} />
      </section>
    </>
  );
}
