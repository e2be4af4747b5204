/** Where sign-in methods are listed, added and removed. A signed-out reader signs in first. */
export const linkedAccountsAddress = (portal: string): string => `${portal}/login?from=profile`;
