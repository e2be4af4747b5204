import {
  forumCategories,
  forumPostsQuery,
  type ForumCategory,
  type ForumPostsQuery,
} from '@orange-id/contract/forum.schema';

export const listOrders = ['newest', 'active', 'unanswered', 'mine'] as const;
export type ListOrder = (typeof listOrders)[number];

/** What the list shows; it is in the URL. */
export interface ListView {
  category?: ForumCategory | undefined;
  order: ListOrder;
  q: string;
  after?: string | undefined;
  before?: string | undefined;
}

/** Reads the URL; what can't be read is ignored. */
export function readListView(query: URLSearchParams): ListView {
  const category = forumCategories.find((each) => each === query.get('category'));
  const order = listOrders.find((each) => each === query.get('show')) ?? 'newest';
  const cursorOf = (name: 'after' | 'before') =>
    forumPostsQuery.shape[name].safeParse(query.get(name) ?? undefined).data;
  const after = cursorOf('after');
  return {
    category,
    order,
    q: (query.get('q') ?? '').slice(0, 200),
    after,
    before: after === undefined ? cursorOf('before') : undefined,
  };
}

/** The URL with this view. A new filter starts at the first page. */
export function writeListView({ category, order, q, after, before }: ListView): URLSearchParams {
  const query = new URLSearchParams();
  if (category) query.set('category', category);
  if (order !== 'newest') query.set('show', order);
  if (q.trim() !== '') query.set('q', q);
  if (after) query.set('after', after);
  if (before) query.set('before', before);
  return query;
}

/** What to request for a view. */
export function postsQueryOf(view: ListView, userId: string | undefined): Partial<ForumPostsQuery> {
  const { category, order, q, after, before } = view;
  return {
    category,
    q: q.trim() === '' ? undefined : q.trim(),
    author: order === 'mine' ? userId : undefined,
    sort: order === 'mine' || order === 'newest' ? undefined : order,
    after,
    before,
  };
}

/** Whether new posts belong at the top of this list. */
export const isTop = ({ order, q, after, before }: ListView): boolean =>
  (order === 'newest' || order === 'active' || order === 'unanswered') &&
  q.trim() === '' &&
  !after &&
  !before;
