/** The kinds of sign-in method. In a separate file from the schemas, so that the first page loads no zod. */
export const signInMethods = ['email', 'wallet', 'google', 'apple'] as const;
export type SignInMethodName = (typeof signInMethods)[number];

export const providers = ['google', 'apple'] as const;
export type ProviderName = (typeof providers)[number];

/** The names of the providers as users know them. */
export const providerTitles: Record<ProviderName, string> = { google: 'Google', apple: 'Apple' };
