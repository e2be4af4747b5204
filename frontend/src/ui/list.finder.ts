import { nameKey } from '@orange-id/contract/text.rule';

/** Lists up to this length need no search. */
const shortList = 10;

export const needsFinder = (count: number): boolean => count > shortList;

/** `used`: most recently used first, never used last. */
export type ListOrder = 'newest' | 'oldest' | 'name' | 'used';

/** The fields that a list is searched and sorted by. Times are ISO 8601. */
interface Findable {
  name: string;
  createdAt: string;
  lastUsed?: string | null;
  /** Other searchable texts, such as URLs. */
  texts?: readonly string[];
}

const byNewest = (a: Findable, b: Findable) => b.createdAt.localeCompare(a.createdAt);

const comparisons: Record<ListOrder, (a: Findable, b: Findable) => number> = {
  newest: byNewest,
  oldest: (a, b) => a.createdAt.localeCompare(b.createdAt),
  name: (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true, sensitivity: 'base' }),
  used: (a, b) => (b.lastUsed ?? '').localeCompare(a.lastUsed ?? '') || byNewest(a, b),
};

/** The entries that contain the text, in this order; ignores case and white space. */
export function findIn<T>(
  items: readonly T[],
  { text, order }: { text: string; order: ListOrder },
  of: (item: T) => Findable,
): T[] {
  const wanted = nameKey(text);
  return items
    .map((item) => ({ item, ...of(item) }))
    .filter(({ name, texts = [] }) => [name, ...texts].some((one) => nameKey(one).includes(wanted)))
    .sort(comparisons[order])
    .map(({ item }) => item);
}
