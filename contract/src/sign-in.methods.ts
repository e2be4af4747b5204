import type { ProviderName } from './identity.schema.js';

/** The kinds of sign-in method. Apart from the schemas, so that the first page loads no zod. */
export const signInMethods = ['email', 'wallet', 'google', 'apple'] as const;

/** What Google and Apple call themselves. */
export const providerTitles: Record<ProviderName, string> = { google: 'Google', apple: 'Apple' };
