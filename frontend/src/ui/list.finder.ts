import { nameKey } from '@orange-id/contract/text.rule';

/** Up to this many entries a list is short enough to be looked through. */
const shortList = 10;

export const needsFinder = (count: number): boolean => count > shortList;

/** `used`: what was used last comes first, what never was comes last. */
export type ListOrder = 'newest' | 'oldest' | 'name' | 'used';

/** What a list is searched and sorted by. Times are ISO 8601. */
interface Findable {
  name: string;
  createdAt: string;
  lastUsed?: string | null;
  /** Further texts that are searched, such as URLs. */
  texts?: readonly string[];
}

const byNewest = (a: Findable, b: Findable) => b.createdAt.localeCompare(a.createdAt);

const comparisons: Record<ListOrder, (a: Findable, b: Findable) => number> = {
  newest: byNewest,
  oldest: (a, b) => a.createdAt.localeCompare(b.createdAt),
  name: (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true, sensitivity: 'base' }),
  used: (a, b) => (b.lastUsed ?? '').localeCompare(a.lastUsed ?? '') || byNewest(a, b),
};

/** The entries that contain the text, in that order; case and white space don't matter. */
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
