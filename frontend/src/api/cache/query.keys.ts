/** The cache keys of server data. The URL requested can differ from the key; each API call defines its own. */
export const queryKeys = {
  user: ['/api/v1/auth/user'] as const,
  projects: ['/api/projects'] as const,
  /** The second element is the project's code. */
  appLook: ['/api/v1/auth/appearance'] as const,
  savedKeys: ['/api/keys'] as const,
  /** The keys of all projects; the cache key for one project has its code as the second element. */
  projectKeys: ['/api/projects/keys'] as const,
  /** As above. */
  projectWallets: ['/api/projects/wallets'] as const,
  /** As above; the third element holds the filters. */
  projectUsers: ['/api/projects/users'] as const,
  projectUserMetrics: ['/api/projects/users/metrics'] as const,
  projectRefusals: ['/api/projects/refusals'] as const,
  projectOrigins: ['/api/projects/origins'] as const,
  projectGames: ['/api/projects/games'] as const,
  /** The further elements are project, game and period. */
  leaderboard: ['/api/projects/games/leaderboard'] as const,
  reward: ['/api/reward/profile'] as const,
  config: ['/api/config'] as const,
  signInMethods: ['/api/v1/auth/identifiers'] as const,
  accountChanges: ['/api/v1/auth/changes'] as const,
  activeSessions: ['/api/v1/auth/sessions'] as const,
  connectedApps: ['/api/v1/auth/apps'] as const,
  dataArchive: ['/api/account/archive'] as const,
  metrics: <F>(filters: F) => ['/api/analytics/metrics', filters] as const,
  /** All data of the community; the further elements name what is requested. */
  forum: ['/api/forum'] as const,
  forumMuted: ['/api/forum', 'muted'] as const,
  threadMail: (postId: string) => ['/api/forum', 'mute', postId] as const,
  usageKeys: ['/api/usage/keys'] as const,
  usage: <F>(filters: F) => ['/api/usage', filters] as const,
};
