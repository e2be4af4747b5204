import { forumContent, forumTitle } from '@orange-id/contract/forum.schema';
import type { PostDraft } from './post.drafts';

const fields = ['method', 'endpoint', 'status', 'error', 'at'] as const;

/** The parameters of `/community/new` that name a call of the user's. */
export const isAboutCall = (query: URLSearchParams): boolean =>
  Boolean(query.get('method') && query.get('endpoint') && query.get('status'));

/** Names the call in the drafts. */
export const callName = (query: URLSearchParams): string =>
  isAboutCall(query) ? fields.map((field) => query.get(field) ?? '').join(' ') : '';

const plain = (text: string | null, max: number): string =>
  (text ?? '')
    .replaceAll(/[`\s]+/g, ' ')
    .trim()
    .slice(0, max);

/** The beginning of a post about a call. The parameters come from a link that anybody may have written. */
export function callQuestion(query: URLSearchParams): PostDraft | null {
  if (!isAboutCall(query)) return null;
  const method = plain(query.get('method'), 10);
  const endpoint = plain(query.get('endpoint')?.split('?')[0] ?? '', 100);
  const status = plain(query.get('status'), 3);
  const error = plain(query.get('error'), 60);
  const at = plain(query.get('at'), 40);
  const rows = [
    `Call: ${method} ${endpoint}`,
    `Status: ${status}`,
    ...(error ? [`Error code: ${error}`] : []),
    ...(at ? [`Time: ${at}`] : []),
  ];
  const title = forumTitle.safeParse(`${method} ${endpoint} returns ${status}${error ? ` (${error})` : ''}`);
  const content = forumContent.safeParse(`\`\`\`text\n${rows.join('\n')}\n\`\`\`\n\nWhat I expected:\n\n`);
  return {
    title: title.data ?? '',
    content: content.success ? `${content.data} ` : '',
    category: 'Questions',
  };
}
