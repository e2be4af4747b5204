import { z } from 'zod';

const name = 'portal-community-seen';
/** Older entries count as read. */
const keptPosts = 500;

const stored = z.object({ since: z.string(), posts: z.record(z.string(), z.string()) });
export type Seen = z.infer<typeof stored>;

/** Which posts this browser has shown, and in which state; posts from before its first visit count as read. */
export function readSeen(storage: Storage = localStorage): Seen {
  try {
    const seen = stored.safeParse(JSON.parse(storage.getItem(name) ?? 'null'));
    if (seen.success) return seen.data;
    const first = { since: new Date().toISOString(), posts: {} };
    storage.setItem(name, JSON.stringify(first));
    return first;
  } catch {
    // Without storage nothing counts as unread.
    return { since: new Date().toISOString(), posts: {} };
  }
}

export function markSeen(id: string, updatedAt: string, storage: Storage = localStorage): void {
  const seen = readSeen(storage);
  const others = Object.entries(seen.posts).filter(([post]) => post !== id);
  const posts = Object.fromEntries([...others, [id, updatedAt] as const].slice(-keptPosts));
  try {
    storage.setItem(name, JSON.stringify({ ...seen, posts }));
  } catch {
    // The mark then stays.
  }
}

export const isUnread = (seen: Seen, post: { id: string; updatedAt: string }): boolean =>
  post.updatedAt > (seen.posts[post.id] ?? seen.since);
