import { exampleAddress, examplePath, exampleScriptPath } from '@orange-id/contract/example.page';
import { projectCodePattern } from '@orange-id/contract/projects.schema';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { escapeHtml } from '../http/escape.html.js';
import { noticePage, pageStyleHash, plainPage, sendPage } from '../http/notice.page.js';
import { exampleScript } from './example.script.js';

/**
 * What the page's policy allows beside its own style and the portal's font: the portal's script and its calls, and the
 * style sheet of the font that the project chose. No inline script, and no HTML from text. A site that uses the script
 * tag can be as strict.
 */
const policyOf = (publicUrl: string) => ({
  'style-src': `${pageStyleHash} ${publicUrl}/widget/fonts/`,
  'script-src': "'self'",
  'connect-src': "'self'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
});

/** Serves the example of the script tag, which signs in to the project in its path: a callback has no query. */
export async function examplePlugin(instance: FastifyInstance, { publicUrl }: { publicUrl: string }) {
  instance.get<{ Querystring: { project?: unknown } }>(examplePath, (request, reply) => {
    const { project } = request.query;
    return isProject(project) ? reply.redirect(exampleAddress(project), 302) : sendChoice(reply, project);
  });

  instance.get<{ Params: { project: string } }>(`${examplePath}/:project`, (request, reply) => {
    const { project } = request.params;
    if (!isProject(project)) return sendChoice(reply, project);
    sendPage(
      reply.header('cache-control', 'no-store'),
      plainPage('Sign-in example', contentOf(project), true),
      {
        more: policyOf(publicUrl),
      },
    );
    return reply;
  });

  instance.get(exampleScriptPath, (_, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(exampleScript),
  );

  function contentOf(project: string): string {
    const tag = `<script src="${publicUrl}/widget/orange-id.js" data-project="${project}"></script>`;
    return `<p>This page has no code of its own for signing in, only one line for your project:</p>
        <pre class="code">${escapeHtml(tag)}</pre>
        <h2>The panel</h2>
        <p>An empty element: <code>${escapeHtml('<div data-orange-id="panel"></div>')}</code></p>
        <div class="sample" data-orange-id="panel"></div>
        <h2>The user</h2>
        <pre class="code" id="user" aria-live="polite">Nobody is signed in.</pre>
        <h2>Events</h2>
        <ol class="code" id="events" aria-live="polite"></ol>
        <details>
          <summary>The script of this page</summary>
          <pre class="code">${escapeHtml(exampleScript)}</pre>
        </details>
        <p class="below"><a href="/docs?tab=authentication">Add sign-in to your site</a></p>
        <script src="/widget/orange-id.js" data-project="${project}"></script>
        <script src="${exampleScriptPath}"></script>`;
  }
}

const isProject = (text: unknown): text is string =>
  typeof text === 'string' && projectCodePattern.test(text);

function sendChoice(reply: FastifyReply, project: unknown): FastifyReply {
  const isGiven = project !== undefined;
  const html = noticePage({
    title: 'Choose a project for the example',
    paragraphs: [
      ...(isGiven ? [`${JSON.stringify(project).slice(0, 100)} is not a project ID.`] : []),
      'Open a project and choose “View Example”, or add ?project= and its ID to this page’s URL.',
    ],
    link: { href: '/projects', text: 'Go to My Projects' },
  });
  sendPage(reply.header('cache-control', 'no-store'), html, { status: isGiven ? 400 : 200 });
  return reply;
}
