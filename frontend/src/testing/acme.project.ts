/** A project of the account, as the server lists it. */
export const acmeProject = {
  id: 'p-1',
  code: 'orange-k3x9p2m7qa',
  projectName: 'Acme',
  apiKey: `oid_${'k'.repeat(33)}`,
  urls: ['https://acme.example.com'],
  createdAt: '2026-01-02T03:04:05.000Z',
  lastUpdatedAt: '2026-01-02T03:04:05.000Z',
};
