import { appRoutes, documentTitle } from '@orange-id/contract/app.routes';
import type { ForumPost, ForumReply } from '@orange-id/contract/forum.schema';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isDatabaseDown } from '../http/error.filter.js';
import { escapeHtml } from '../http/escape.html.js';
import { PortalError } from '../http/portal.error.js';
import type { PageContent, WebPages } from '../web/web.pages.js';
import { plainText } from './forum.markdown.js';
import type { ForumService } from './forum.service.js';

const postsShown = 50;
const repliesShown = 50;
/** Of the HTML whose text is in descriptions and structured data: to find the text takes time. */
const describedCharacters = 3_000;

/**
 * The pages of the community as search engines and readers without scripts get them: the shell of the browser
 * application with title, description, canonical URL, structured data (schema.org) and, within `noscript`, the text.
 */
export async function forumPages(
  instance: FastifyInstance,
  { forum, pages, publicUrl }: { forum: ForumService; pages: WebPages; publicUrl: string },
): Promise<void> {
  const urlOf = (path: string): string => new URL(path, publicUrl).href;

  async function send(reply: FastifyReply, path: string, load: () => Promise<PageContent>) {
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
    try {
      const page = pages.with(await load());
      if (page !== null) return await reply.send(page);
    } catch (error) {
      // The application in the shell says what is missing, or tries again.
      const isGone = error instanceof PortalError && error.code === 'forum.postNotFound';
      if (!isGone && !isDatabaseDown(error)) throw error;
      const shell = pages.at(isGone ? '/not-found' : path);
      if (shell !== null) return reply.status(shell.status).send(shell.body.identity);
    }
    return reply.callNotFound();
  }

  instance.get('/community', (_, reply) =>
    send(reply, '/community', async () => {
      const { pinned, posts } = await forum.newest(postsShown);
      const entries = [...pinned, ...posts].map(
        (post) => `<li><a href="/community/posts/${post.id}">${escapeHtml(post.title)}</a>
          <p>${escapeHtml(post.excerpt)}</p>
          ${byline(post)}, ${post.replyCount} ${post.replyCount === 1 ? 'reply' : 'replies'}</li>`,
      );
      return {
        title: documentTitle(appRoutes['/community'].title),
        description: appRoutes['/community'].description,
        address: urlOf('/community'),
        readable: `<main><h1>Community</h1><ul>${entries.join('')}</ul><p>Turn on JavaScript to search and post.</p></main>`,
      };
    }),
  );

  instance.get<{ Params: { id: string } }>('/community/posts/:id', ({ params: { id } }, reply) =>
    send(reply, `/community/posts/${id}`, async () => {
      const post = await forum.post(id);
      if (post.isHidden) throw new PortalError('forum.postNotFound');
      const { replies, next } = await forum.replies(id, { limit: repliesShown });
      const shown = replies.filter((reply_) => !reply_.isHidden);
      const address = urlOf(`/community/posts/${post.id}`);
      const text = beginningOf(post.html);
      return {
        title: documentTitle(post.title),
        description: shortened(text),
        address,
        data: structuredData(post, shown, address),
        readable: `<main><article><h1>${escapeHtml(post.title)}</h1>
          <p>${byline(post)} in ${post.category}${post.isResolved ? ', resolved' : ''}</p>${post.html}</article>
          ${shown.map(entryOf).join('')}${next === null ? '' : '<p>Turn on JavaScript to read more replies.</p>'}
          <p>Turn on JavaScript to reply. <a href="/community">All posts of the community</a></p></main>`,
      };
    }),
  );
}

const byline = ({ authorName, createdAt }: Pick<ForumPost, 'authorName' | 'createdAt'>): string =>
  `${escapeHtml(authorName)}, <time datetime="${createdAt}">${createdAt.slice(0, 10)}</time>`;

const entryOf = (reply: ForumReply): string =>
  `<article id="${reply.id}"><p>${byline(reply)}${reply.isAccepted ? ', accepted answer' : ''}</p>${reply.html}</article>`;

const beginningOf = (html: string): string =>
  html.length <= describedCharacters ? plainText(html) : `${plainText(html.slice(0, describedCharacters))}…`;

const shortened = (text: string): string =>
  [...text].length > 160 ? `${[...text].slice(0, 159).join('')}…` : text;

/** A question with its answers, or a discussion with its comments. */
function structuredData(post: ForumPost, replies: readonly ForumReply[], url: string): object {
  const common = (row: Pick<ForumPost, 'html' | 'createdAt' | 'authorName'>) => ({
    text: beginningOf(row.html),
    dateCreated: row.createdAt,
    author: { '@type': 'Person', name: row.authorName },
  });
  const answers = (type: string, some: readonly ForumReply[]) =>
    some.map((reply) => ({ '@type': type, url: `${url}#reply-${reply.id}`, ...common(reply) }));
  if (post.category !== 'Questions') {
    return {
      '@context': 'https://schema.org',
      '@type': 'DiscussionForumPosting',
      headline: post.title,
      url,
      ...common(post),
      commentCount: post.replyCount,
      comment: answers('Comment', replies),
    };
  }
  const [accepted] = answers(
    'Answer',
    replies.filter(({ isAccepted }) => isAccepted),
  );
  return {
    '@context': 'https://schema.org',
    '@type': 'QAPage',
    mainEntity: {
      '@type': 'Question',
      name: post.title,
      url,
      ...common(post),
      answerCount: post.replyCount,
      ...(accepted ? { acceptedAnswer: accepted } : {}),
      suggestedAnswer: answers(
        'Answer',
        replies.filter(({ isAccepted }) => !isAccepted),
      ),
    },
  };
}
