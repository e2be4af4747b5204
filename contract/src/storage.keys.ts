/** Names under which the browser keeps things; those of the identity client are its own. */
export const storageKeys = {
  accessToken: 'accessToken',
  refreshToken: 'refreshToken',
  passportToken: 'passport-token',
  passportUser: 'passport-user',
  source: 'source',
  submittedProjects: 'submittedProjects',
  /**
   * `light` or `dark` where the visitor chose other than the system (an addition). Also the name of a cookie with the same
   * value, which tells it to the pages of the server that have no scripts.
   */
  colorMode: 'portal-theme',
  /** `open` where the sidebar was left open (an addition). */
  sidebar: 'portal-sidebar',
} as const;

const signOutPrefixes = ['passport-', 'bedrock-', 'wagmi.', '@appkit/', 'cbwsdk.store'];

/** Whether signing out removes this key: `source` and `submittedProjects` survive. */
export const isClearedAtSignOut = (key: string): boolean =>
  key === storageKeys.accessToken ||
  key === storageKeys.refreshToken ||
  signOutPrefixes.some((prefix) => key.startsWith(prefix));
