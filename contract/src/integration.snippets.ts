import { isWildcardUrl } from './whitelist.rule.js';

/** A project's app: by which portal it signs in, the project's id, and the URLs on which it may sign people in. */
export interface IntegratedApp {
  portalUrl: string;
  projectId: string;
  /** The project's allowed URLs. Code for everybody has a placeholder in their place. */
  urls?: readonly string[];
}

/** Where the servers below serve the page beside them, and where Vite serves an app in development. */
const localOrigins = ['http://localhost:8787', 'http://localhost:5173'];

/** The origins that a server of the app accepts, separated by commas. */
const originsOf = ({ urls = [sitePlaceholder] }: IntegratedApp): string =>
  [...sitesOf(urls), ...localOrigins].join(',');

/** Where a React app signs in. An integrated app sets both `tenantId` and `subscriptionKey` to its project's id. */
export interface PassportSettings {
  baseUrl: string;
  tenantId: string;
  subscriptionKey: string;
}

/** Replaces the project's id in code for everybody. */
export const projectIdPlaceholder = 'YOUR_PROJECT_ID';

/** Replaces the project's URLs in code for everybody. */
const sitePlaceholder = 'https://www.example.com';

/** Code for everybody with the values of a project in place of the placeholders. */
export const codeForProject = (
  text: string,
  { code, urls }: { code: string; urls: readonly string[] },
): string =>
  text
    .replaceAll(projectIdPlaceholder, () => code)
    .replaceAll(`${sitePlaceholder},`, () =>
      sitesOf(urls)
        .map((url) => `${url},`)
        .join(''),
    );

/** A wildcard signs nobody in. */
const sitesOf = (urls: readonly string[]) => urls.filter((url) => !isWildcardUrl(url));

interface IntegrationSnippet {
  title: string;
  /** The file to save it as. */
  file: string;
  /** Names the snippet for screen readers and the copy button. */
  label: string;
  language: 'HTML' | 'JSX' | 'JavaScript' | 'Python';
  write: (app: IntegratedApp) => string;
}

/** A value as a literal of JavaScript and of Python, which a script in a page may contain. */
const literal = (text: string): string => JSON.stringify(text).replaceAll('<', String.raw`\u003c`);

/** The only line that a page needs. */
export const scriptTag = ({ portalUrl, projectId }: IntegratedApp): string =>
  `<script src="${portalUrl}/widget/orange-id.js" data-project="${projectId}"></script>`;

/** The same line, bound to one version of the file: the browser runs no other. */
export const pinnedScriptTag = (
  { portalUrl, projectId }: IntegratedApp,
  { path, integrity }: { path: string; integrity: string },
): string =>
  `<script src="${portalUrl}${path}" integrity="${integrity}" crossorigin="anonymous" data-project="${projectId}"></script>`;

/** A page that signs in, reads the user, calls its server and signs out. */
const scriptPage = (app: IntegratedApp): string => `\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>My app</title>
    ${scriptTag(app)}
  </head>
  <body>
    <div id="sign-in" data-orange-id="button"></div>
    <p id="status" role="status"></p>
    <pre id="answer"></pre>
    <button id="sign-out" hidden>Sign out</button>
    <script>
      const find = (id) => document.getElementById(id);
      const show = (user, text) => {
        find('status').textContent = text;
        find('sign-in').hidden = user !== null;
        find('sign-out').hidden = user === null;
        find('answer').textContent = '';
      };
      OrangeID.on('signin', async (user) => {
        show(user, \`Signed in as \${user.displayName ?? user.email ?? 'a new user'}\`);
        // Your server verifies the token; see server.mjs and server.py.
        const token = await OrangeID.getAccessToken();
        const response = await fetch('/api/me', { headers: { Authorization: \`Bearer \${token}\` } });
        find('answer').textContent = \`My server says: \${response.status} \${await response.text()}\`;
      });
      OrangeID.on('signout', () => show(null, 'Signed out'));
      OrangeID.on('error', (error) => show(null, error.message));
      find('sign-out').onclick = () => OrangeID.signOut();
    </script>
  </body>
</html>`;

/** A React app with the published package. Also for a hosted identity service, whose values differ. */
export const passportApp = ({ baseUrl, tenantId, subscriptionKey }: PassportSettings): string => `\
// npm install @bedrock_org/passport
import { BedrockPassportProvider, LoginPanel, useBedrockPassport } from '@bedrock_org/passport';
import '@bedrock_org/passport/dist/style.css';
import { useEffect, useState } from 'react';

const settings = {
  baseUrl: ${literal(baseUrl)},
  tenantId: ${literal(tenantId)},
  subscriptionKey: ${literal(subscriptionKey)},
};

// The callback's path ends with the marker that this tab stored before it left. Tokens without it were planted.
const [, returned] = /^\\/auth\\/callback\\/([-\\d]+)$/.exec(window.location.pathname) ?? [];
const isOurs = returned !== undefined && returned === sessionStorage.getItem('marker');
const query = new URLSearchParams(window.location.search);
const marker = crypto.getRandomValues(new Uint32Array(4)).join('-');
sessionStorage.setItem('marker', marker);

export default function App() {
  const isCallback = window.location.pathname.startsWith('/auth/callback');
  return (
    <BedrockPassportProvider
      {...settings}
      authCallbackUrl={\`\${window.location.origin}/auth/callback/\${marker}\`}
    >
      {isCallback ? <Callback /> : <Home />}
    </BedrockPassportProvider>
  );
}

function Callback() {
  const { loginCallback } = useBedrockPassport();
  useEffect(() => {
    if (!isOurs) return;
    loginCallback(query.get('token'), query.get('refreshToken')).then(() => window.location.replace('/'));
  }, []);
  if (isOurs) return <p>Signing in…</p>;
  return (
    <p>
      This tab didn’t start this sign-in. <a href="/">Start again</a>
    </p>
  );
}

function Home() {
  const { isLoggedIn, user, accessToken, signOut } = useBedrockPassport();
  const [answer, setAnswer] = useState('');
  if (!isLoggedIn) return <LoginPanel title="Sign in" />;
  // Your server verifies the token; see server.mjs and server.py. In development, Vite forwards the call to it with
  // this in vite.config.js: server: { proxy: { '/api': 'http://localhost:8787' } }
  const askServer = async () => {
    const response = await fetch('/api/me', { headers: { Authorization: \`Bearer \${accessToken}\` } });
    setAnswer(await response.text());
  };
  return (
    <>
      <p>Signed in as {user?.name ?? user?.email ?? 'a new user'}</p>
      <button onClick={askServer}>Ask my server</button> <output>{answer}</output>
      <button onClick={() => signOut()}>Sign out</button>
    </>
  );
}`;

/** A page that needs no script of the portal: a link to the sign-in page, and the check of what comes back. */
const redirectPage = ({ portalUrl, projectId }: IntegratedApp): string => `\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>My app</title>
  </head>
  <body>
    <button id="sign-in">Sign in</button>
    <p id="status" role="status"></p>
    <pre id="answer"></pre>
    <button id="sign-out" hidden>Sign out</button>
    <script type="module">
      const portal = ${literal(portalUrl)};
      const projectId = ${literal(projectId)};
      const page = location.origin + location.pathname;
      const find = (id) => document.getElementById(id);

      // 1. Sign in: the browser goes to the portal with a marker that works once.
      find('sign-in').onclick = () => {
        const bytes = Array.from(crypto.getRandomValues(new Uint8Array(11)));
        const tab = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
        sessionStorage.setItem('orange-id-tab', tab);
        const query = new URLSearchParams({ tenantId: projectId, callback: page, tab });
        location.assign(\`\${portal}/api/v1/auth/authorize?\${query}\`);
      };

      // 2. Back: tokens count only with this tab's marker. Without it, somebody else planted them.
      const query = new URLSearchParams(location.search);
      if (query.has('token') || query.has('error')) {
        const isOurs = query.has('tab') && query.get('tab') === sessionStorage.getItem('orange-id-tab');
        sessionStorage.removeItem('orange-id-tab');
        history.replaceState(null, '', page);
        if (isOurs && query.has('token')) store(query.get('token'), query.get('refreshToken'));
        else find('status').textContent = isOurs ? 'Cancelled' : 'This tab didn’t start this sign-in.';
      }

      // 3. Read the user. An access token is valid for an hour; the refresh token gets a new one.
      const user = await readUser();
      find('sign-in').hidden = user !== null;
      find('sign-out').hidden = user === null;
      if (user !== null) {
        find('status').textContent = \`Signed in as \${user.displayName ?? user.email ?? 'a new user'}\`;
        // Your server verifies the token; see server.mjs and server.py.
        const response = await fetch('/api/me', { headers: bearer() });
        find('answer').textContent = \`My server says: \${response.status} \${await response.text()}\`;
      }

      // 4. Sign out: ends the session on the portal too.
      find('sign-out').onclick = async () => {
        await fetch(\`\${portal}/api/v1/auth/logout\`, { method: 'POST', headers: bearer() });
        localStorage.removeItem('orange-id');
        location.assign(page);
      };

      function store(token, refreshToken) {
        localStorage.setItem('orange-id', JSON.stringify({ token, refreshToken }));
      }

      function stored() {
        return JSON.parse(localStorage.getItem('orange-id') ?? '{}');
      }

      function bearer() {
        return { Authorization: \`Bearer \${stored().token}\` };
      }

      async function readUser() {
        const { token, refreshToken } = stored();
        if (!token) return null;
        const address = \`\${portal}/api/v1/auth/user\`;
        let response = await fetch(address, { headers: bearer() });
        if (response.status === 401) {
          const renewed = await fetch(\`\${portal}/api/v1/auth/refresh\`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ refreshToken }),
          });
          if (renewed.status === 401) localStorage.removeItem('orange-id');
          if (!renewed.ok) return null;
          store((await renewed.json()).accessToken, refreshToken);
          response = await fetch(address, { headers: bearer() });
        }
        return response.ok ? response.json() : null;
      }
    </script>
  </body>
</html>`;

/** A server that serves the page beside it and verifies access tokens with `jose`. */
const nodeServer = (app: IntegratedApp): string => `\
// Node.js 20 or later. Save it beside index.html as server.mjs, run npm install jose and node server.mjs,
// and open http://localhost:8787.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';

const portal = ${literal(app.portalUrl)};
const projectId = ${literal(app.projectId)};
// The origins of your own pages, separated by commas.
const origins = (process.env.APP_ORIGINS ?? ${literal(originsOf(app))}).split(',');

const page = new URL('index.html', import.meta.url);
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', portal));

/** The claims of an access token. Throws unless the portal issued it for this project, on one of its origins. */
async function verify(token) {
  const { payload } = await jwtVerify(token, keys, {
    algorithms: ['ES256'],
    issuer: portal,
    audience: projectId,
    requiredClaims: ['exp', 'sub', 'azp'],
  });
  if (!origins.includes(payload.azp)) throw new Error(\`APP_ORIGINS doesn't list \${payload.azp}\`);
  return payload;
}

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  const [path] = request.url.split('?');
  if (path === '/' || path === '/index.html') {
    const html = await readFile(page).catch(() => 'Save your page beside server.mjs as index.html.');
    return response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html);
  }
  if (path !== '/api/me') return answer(404, { message: 'Not found' });
  const token = /^Bearer (\\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  try {
    const { sub, name, email } = await verify(token);
    answer(200, { id: sub, name, email });
  } catch (error) {
    answer(401, { message: error.message });
  }
});
const port = process.env.PORT ?? 8787;
server.listen(port, () => console.log(\`Open http://localhost:\${port}\`));`;

/** A server that serves the page beside it and verifies access tokens with `PyJWT`. */
const pythonServer = (app: IntegratedApp): string => `\
# pip install "pyjwt[crypto]" (Debian: apt install python3-jwt python3-cryptography).
# Save it beside index.html as server.py, run python3 server.py and open http://localhost:8787.
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import jwt

PORTAL = ${literal(app.portalUrl)}
PROJECT_ID = ${literal(app.projectId)}
# The origins of your own pages, separated by commas.
ORIGINS = os.environ.get("APP_ORIGINS", ${literal(originsOf(app))}).split(",")

PAGE = Path(__file__).with_name("index.html")
keys = jwt.PyJWKClient(f"{PORTAL}/.well-known/jwks.json")


def verify(token):
    """The claims of an access token. Raises unless the portal issued it for this project, on one of its origins."""
    claims = jwt.decode(
        token,
        keys.get_signing_key_from_jwt(token).key,
        algorithms=["ES256"],
        issuer=PORTAL,
        audience=PROJECT_ID,
        options={"require": ["exp", "iss", "aud", "sub", "azp"]},
    )
    if claims["azp"] not in ORIGINS:
        raise jwt.InvalidTokenError(f"APP_ORIGINS doesn't list {claims['azp']}")
    return claims


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.partition("?")[0]
        if path in ("/", "/index.html"):
            html = PAGE.read_bytes() if PAGE.exists() else b"Save your page beside server.py as index.html."
            return self.send(200, "text/html; charset=utf-8", html)
        if path != "/api/me":
            return self.answer(404, {"message": "Not found"})
        kind, _, token = self.headers.get("Authorization", "").partition(" ")
        try:
            claims = verify(token if kind == "Bearer" else "")
        except jwt.PyJWTError as error:
            return self.answer(401, {"message": str(error)})
        self.answer(200, {"id": claims["sub"], "name": claims.get("name"), "email": claims.get("email")})

    def answer(self, status, body):
        self.send(status, "application/json", json.dumps(body).encode())

    def send(self, status, kind, content):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(content)


port = int(os.environ.get("PORT", "8787"))
print(f"Open http://localhost:{port}", flush=True)
ThreadingHTTPServer(("localhost", port), Handler).serve_forever()`;

/** Forwards the calls of an app under Vite to the server of `serverSnippets`. */
export const viteProxy = `\
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  server: { proxy: { '/api': 'http://localhost:8787' } },
});`;

/** The ways to sign in from a page, each a complete app. */
export const signInSnippets = {
  script: {
    title: 'Script tag',
    file: 'index.html',
    label: 'page with the script tag',
    language: 'HTML',
    write: scriptPage,
  },
  react: {
    title: 'React package',
    file: 'App.jsx',
    label: 'React app',
    language: 'JSX',
    write: ({ portalUrl, projectId }) =>
      passportApp({ baseUrl: portalUrl, tenantId: projectId, subscriptionKey: projectId }),
  },
  redirect: {
    title: 'Redirect',
    file: 'index.html',
    label: 'page with a redirect',
    language: 'HTML',
    write: redirectPage,
  },
} as const satisfies Record<string, IntegrationSnippet>;

/** Servers of `index.html` beside them that answer `GET /api/me` to whoever sends a valid access token. */
export const serverSnippets = {
  node: {
    title: 'Node.js',
    file: 'server.mjs',
    label: 'Node.js server',
    language: 'JavaScript',
    write: nodeServer,
  },
  python: {
    title: 'Python',
    file: 'server.py',
    label: 'Python server',
    language: 'Python',
    write: pythonServer,
  },
} as const satisfies Record<string, IntegrationSnippet>;

export type SignInWay = keyof typeof signInSnippets;
export type ServerLanguage = keyof typeof serverSnippets;
