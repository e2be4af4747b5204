import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from '../scripts/lib/parts.mjs';
import { startPortal, visit } from './lib/lighthouse.mjs';
import { freePort } from './lib/processes.mjs';
import { keep } from './lib/report.mjs';

/**
 * Measures what a login widget costs the page that embeds it: a small page with and without the script tag's panel, and
 * a small React application with and without the package's panel. The four take turns.
 */
const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    'dry-run': { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));

const article = Array.from(
  { length: 6 },
  (_, i) => `<h2>Section ${i + 1}</h2><p>${'A sentence of a small page of an app. '.repeat(12)}</p>`,
).join('');
const head = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A small page</title><meta name="description" content="A small page"><style>body{max-width:40rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui}#panel{min-height:360px}</style>`;

const reactApp = (portal, code, withPanel) =>
  withPanel
    ? `import { BedrockPassportProvider, LoginPanel } from '@bedrock_org/passport';
       const settings = { baseUrl: '${portal}', authCallbackUrl: location.origin, tenantId: '${code}', subscriptionKey: '${code}' };
       export const Panel = () => <BedrockPassportProvider {...settings}><LoginPanel /></BedrockPassportProvider>;`
    : `export const Panel = () => null;`;
const reactPage = `${head}<main><h1>A small page</h1><div id="panel"></div>${article}</main><script type="module" src="/main.jsx"></script></html>`;
const reactMain = `import { createRoot } from 'react-dom/client';
  import { Panel } from './Panel';
  createRoot(document.getElementById('panel')).render(<Panel />);`;

await build('contract', 'backend', 'app', 'widget');
// Inside the repository, so that the packages that the application imports are found.
await mkdir(join(root, '.cache'), { recursive: true });
const folder = await mkdtemp(join(root, '.cache', 'bench-site-'));
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const portal = await startPortal();
const types = { '.js': 'text/javascript', '.html': 'text/html; charset=utf-8' };
const files = new Map();
const server = createServer((request, response) => {
  const path = new URL(request.url, origin).pathname;
  const body = files.get(path);
  if (body === undefined) response.writeHead(404).end();
  else response.setHeader('content-type', types[extname(path)] ?? types['.html']).end(body);
}).listen(port, '127.0.0.1');

const runs = {};
try {
  const code = await makeProject();
  const tag = `<script src="${portal.url}/widget/orange-id.js" data-project="${code}" async></script>`;
  const plain = (widget) =>
    `${head}${widget ? tag : ''}<main><h1>A small page</h1><div id="panel"${widget ? ' data-orange-id="panel"' : ''}></div>${article}</main></html>`;
  files.set('/plain', plain(false));
  files.set('/plain-widget', plain(true));
  await buildReact('react', false, code);
  await buildReact('react-widget', true, code);
  for (let run = 1; run <= Number(options.runs); run++) {
    for (const page of ['plain', 'plain-widget', 'react', 'react-widget']) {
      const result = await visit(`${origin}/${page}`);
      (runs[page] ??= []).push(result);
      process.stdout.write(`run ${run}, ${page}: ${JSON.stringify(result)}\n`);
    }
  }
} finally {
  server.close().closeAllConnections();
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
}
if (!options['dry-run']) await keep('widget', { runs });

async function makeProject() {
  const post = async (path, body, token) => {
    const answer = await fetch(portal.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const password = 'correct horse battery';
  const user = { email: 'owner@example.org', password, passwordConfirm: password };
  const { token } = await post('/api/v1/auth/email/register', user);
  // Pages on this machine need no allowed URL.
  const project = { projectName: 'A small page', whitelistURL: ['https://app.example.org'] };
  return (await post('/devportal/v1/project', project, token.accessToken)).projectId;
}

/** Builds the application with Vite and serves its page and scripts. */
async function buildReact(name, withPanel, code) {
  const source = join(folder, name);
  await mkdir(source);
  await writeFile(join(source, 'index.html'), reactPage);
  await writeFile(join(source, 'main.jsx'), reactMain);
  await writeFile(join(source, 'Panel.jsx'), reactApp(portal.url, code, withPanel));
  const vite = join(root, 'node_modules/.bin/vite');
  execFileSync(vite, ['build', '--logLevel', 'warn', '--base', `/${name}/`], {
    cwd: source,
    timeout: 120_000,
  });
  const dist = join(source, 'dist');
  files.set(`/${name}`, await readFile(join(dist, 'index.html')));
  for (const asset of await readdir(join(dist, 'assets'))) {
    files.set(`/${name}/assets/${asset}`, await readFile(join(dist, 'assets', asset)));
  }
}
