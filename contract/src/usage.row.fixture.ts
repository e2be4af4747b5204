import type { UsageRow } from './usage.schema.js';

/** A recorded call, for tests only. */
export const usageRowOf = (seq: number, more: Partial<UsageRow> = {}): UsageRow => ({
  seq,
  keyId: '0193d6a0-0000-7000-8000-000000000000',
  projectId: 'orange-k3x9p2m7qa',
  endpoint: '/api/v1/key',
  method: 'GET',
  statusCode: 200,
  responseTime: 1.2,
  timestamp: '2026-01-01T12:00:00.000Z',
  origin: null,
  outcome: 'ok',
  ...more,
});
