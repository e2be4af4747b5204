import type { SavedKey } from './keys.schema.js';

/** A key that was never used, without expiry and limit, for tests only. */
export const unusedKey: SavedKey = {
  id: 'key-1',
  name: 'Server',
  key: `oid_${'k'.repeat(33)}`,
  createdAt: '2026-01-02T03:04:05.000Z',
  lastUsed: null,
  callsToday: 0,
  expiresAt: null,
  rateLimit: null,
  replacesId: null,
  replacedAt: null,
};
