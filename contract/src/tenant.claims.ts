/** What an app may learn of a person besides an id and the sign-in method. Each is granted, or not, by consent. */
export const tenantClaims = ['name', 'picture', 'email', 'wallet'] as const;
export type TenantClaim = (typeof tenantClaims)[number];

/** As labels; in lower case within a sentence. */
export const claimNames: Record<TenantClaim, string> = {
  name: 'Display name',
  picture: 'Profile picture',
  email: 'Email address',
  wallet: 'Wallet address',
};
