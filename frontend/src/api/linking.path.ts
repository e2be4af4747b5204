/** Where sign-in methods are proven, added and removed. */
export const linkingPath = '/login?from=profile';

/** Whether the query of `/login` asks for linking another method instead of signing in. */
export const isLinking = (query: URLSearchParams): boolean => query.get('from') === 'profile';

/** What the profile asks of the linking page: a method to remove, or a wallet to connect. */
export interface LinkingWish {
  remove?: { provider: string; label: string };
  wallet?: string;
}

/** The wish in the state of a history entry, which is whatever some page put there. */
export function linkingWish(state: unknown): LinkingWish {
  const { remove, wallet } = (state ?? {}) as Record<keyof LinkingWish, unknown>;
  const { provider, label } = (remove ?? {}) as Record<string, unknown>;
  return {
    ...(typeof provider === 'string' && typeof label === 'string' ? { remove: { provider, label } } : {}),
    ...(typeof wallet === 'string' ? { wallet } : {}),
  };
}
