import { appRoutes, type AppRoute } from '@orange-id/contract/app.routes';
import { sectionText } from '@orange-id/contract/docs.blocks';
import { docsSections } from '@orange-id/contract/docs.content';
import { docsGroups } from '@orange-id/contract/docs.reference';
import { gamesGuide, gamesGuidePath } from '@orange-id/contract/games.guide';
import type { ForumPostSummary } from '@orange-id/contract/forum.schema';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import type { Project } from '@orange-id/contract/projects.schema';
import { projectPath } from '../../api/projects/project.path';

/** Something that the search can open. */
export interface SearchItem {
  group: 'Pages' | 'Projects' | 'API Keys' | 'Endpoints' | 'Documentation' | 'Community';
  title: string;
  /** What the item is, beside its title; searched too. */
  hint: string;
  /** What it says; searched, but not shown. */
  text?: string;
  to: string;
}

/** The most results shown per group. */
const shownPerGroup = 6;

/** Pages that are opened by a flow, or that show what another path shows. */
const unlisted: readonly AppRoute[] = ['/auth/callback', '/dashboard'];

/** The pages that a visitor or a user can open. */
export const pageItems = (isAuthenticated: boolean): SearchItem[] =>
  (Object.keys(appRoutes) as AppRoute[])
    .filter((path) => !unlisted.includes(path))
    .filter((path) => (isAuthenticated ? path !== '/login' : appRoutes[path].access !== 'protected'))
    .map((path) => ({
      group: 'Pages',
      title: appRoutes[path].title,
      hint: appRoutes[path].description,
      to: path,
    }));

export const projectItems = (projects: readonly Project[]): SearchItem[] =>
  projects.map(({ projectName, code }) => ({
    group: 'Projects',
    title: projectName,
    hint: code,
    to: projectPath(code),
  }));

export const keyItems = (keys: readonly Pick<SavedKey, 'id' | 'name'>[]): SearchItem[] =>
  keys.map(({ id, name }) => ({
    group: 'API Keys',
    title: name,
    hint: 'Calls with this key',
    to: `/usage?${new URLSearchParams({ keyId: id })}`,
  }));

/** Posts that the server found; they need not contain the words as typed. */
export const postItems = (posts: readonly ForumPostSummary[]): SearchItem[] =>
  posts.map(({ id, title, category, isResolved }) => ({
    group: 'Community',
    title,
    hint: isResolved ? `${category}, resolved` : category,
    to: `/community/posts/${id}`,
  }));

export const docsItems = (publicUrl: string, identityUrl: string): SearchItem[] => {
  const { overview, authentication } = docsSections(publicUrl, identityUrl);
  return [
    ...docsGroups.flatMap(({ endpoints }) =>
      endpoints.map(({ id, title, description, method, path }) => ({
        group: 'Endpoints' as const,
        title,
        hint: `${method} ${path}`,
        text: description,
        to: `/docs#${id}`,
      })),
    ),
    ...[...overview, ...authentication].map((section) => ({
      group: 'Documentation' as const,
      title: section.title,
      hint: section.id.startsWith('overview') ? 'Overview' : 'Authentication',
      text: sectionText(section),
      to: `/docs#${section.id}`,
    })),
    ...gamesGuide(publicUrl).map((section) => ({
      group: 'Documentation' as const,
      title: section.title,
      hint: appRoutes[gamesGuidePath].title,
      text: sectionText(section),
      to: `${gamesGuidePath}#${section.id}`,
    })),
  ];
};

/**
 * The items that contain every word of the text, ignoring case, in the order of the groups. In a group, first those
 * whose title starts with the text, then those whose title contains it or its words, then those with the text in what
 * they say. Without a text, the pages and projects.
 */
export function findItems(items: readonly SearchItem[], text: string): SearchItem[] {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter((word) => word !== '');
  const isFound = ({ group, title, hint, text = '' }: SearchItem) =>
    words.length === 0
      ? group === 'Pages' || group === 'Projects'
      : words.every((word) => `${title} ${hint} ${text}`.toLowerCase().includes(word));
  const rank = ({ title, text = '' }: SearchItem) => {
    const lower = title.toLowerCase();
    if (lower.includes(wanted)) return lower.startsWith(wanted) ? 0 : 1;
    return words.every((word) => lower.includes(word)) ? 2 : text.toLowerCase().includes(wanted) ? 3 : 4;
  };
  const counts = new Map<string, number>();
  const groups = [...new Set(items.map(({ group }) => group))];
  return items
    .filter(isFound)
    .toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || rank(a) - rank(b))
    .filter(({ group }) => {
      const count = (counts.get(group) ?? 0) + 1;
      counts.set(group, count);
      return count <= shownPerGroup;
    });
}
