/** Names under which the browser keeps things, of the spec (§3) unless said otherwise. */
export const storageKeys = {
  accessToken: 'accessToken',
  refreshToken: 'refreshToken',
  passportToken: 'passport-token',
  passportUser: 'passport-user',
  source: 'source',
  submittedProjects: 'submittedProjects',
  /** `light` or `dark` where the visitor chose other than the system (an addition). */
  colorMode: 'portal-theme',
} as const;

const signOutPrefixes = ['passport-', 'bedrock-', 'wagmi.', '@appkit/', 'cbwsdk.store'];

/** Whether signing out removes this key: exactly those the spec lists; `source` and `submittedProjects` survive. */
export const isClearedAtSignOut = (key: string): boolean =>
  key === storageKeys.accessToken ||
  key === storageKeys.refreshToken ||
  signOutPrefixes.some((prefix) => key.startsWith(prefix));
