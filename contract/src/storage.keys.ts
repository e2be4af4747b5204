/** Names under which the browser keeps things (spec §3). */
export const storageKeys = {
  accessToken: 'accessToken',
  refreshToken: 'refreshToken',
  passportToken: 'passport-token',
  passportUser: 'passport-user',
  source: 'source',
  submittedProjects: 'submittedProjects',
} as const;

const signOutPrefixes = ['passport-', 'bedrock-', 'wagmi.', '@appkit/', 'cbwsdk.store'];

/** Whether signing out removes this key: exactly those the spec lists; `source` and `submittedProjects` survive. */
export const isClearedAtSignOut = (key: string): boolean =>
  key === storageKeys.accessToken ||
  key === storageKeys.refreshToken ||
  signOutPrefixes.some((prefix) => key.startsWith(prefix));
