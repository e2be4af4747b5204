/** Keys of entries in the browser's storage; the identity client chooses its own. */
export const storageKeys = {
  accessToken: 'accessToken',
  refreshToken: 'refreshToken',
  passportToken: 'passport-token',
  passportUser: 'passport-user',
  source: 'source',
  submittedProjects: 'submittedProjects',
  /**
   * `light` or `dark` if the visitor chose a theme other than the system's. Also the name of a cookie with the same
   * value, for the server's pages, which have no scripts.
   */
  colorMode: 'portal-theme',
  /** `open` if the sidebar was left open. */
  sidebar: 'portal-sidebar',
} as const;

const signOutPrefixes = ['passport-', 'bedrock-', 'wagmi.', '@appkit/', 'cbwsdk.store'];

/** Whether signing out removes this key: `source`, `submittedProjects`, `colorMode` and `sidebar` survive. */
export const isClearedAtSignOut = (key: string): boolean =>
  key === storageKeys.accessToken ||
  key === storageKeys.refreshToken ||
  signOutPrefixes.some((prefix) => key.startsWith(prefix));
