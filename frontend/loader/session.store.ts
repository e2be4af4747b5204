export interface StoredTokens {
  accessToken: string;
  refreshToken: string;
}

/**
 * The tokens of a project in `localStorage`, which all tabs of the site share, or until the page is closed where the
 * browser blocks site data.
 */
export function createSessionStore(projectId: string, storage: Record<string, string> = {}) {
  const key = `orange-id:${projectId}`;
  return {
    key,
    read(): StoredTokens | null {
      try {
        const tokens = JSON.parse(storage[key] ?? '{}') as StoredTokens;
        return tokens.accessToken && tokens.refreshToken ? tokens : null;
      } catch {
        return null;
      }
    },
    write(tokens: StoredTokens): void {
      storage[key] = JSON.stringify(tokens);
    },
    clear(): void {
      delete storage[key];
    },
  };
}

/** How long a token must still be valid to be handed out. */
const marginMs = 60_000;

/**
 * Whether a token is still valid for a minute; `nowMs` in ms since the epoch. Reads only `exp`, which is ASCII; the
 * contract's rule for any claim is too large for this script.
 */
export function isFresh(token: string, nowMs: number): boolean {
  try {
    const payload = atob(String(token.split('.')[1]).replaceAll('-', '+').replaceAll('_', '/'));
    return (JSON.parse(payload) as { exp: number }).exp * 1000 - nowMs > marginMs;
  } catch {
    return false;
  }
}
