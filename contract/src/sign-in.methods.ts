/** The kinds of sign-in method. Apart from the schemas, so that the first page loads no zod. */
export const signInMethods = ['email', 'wallet', 'google', 'apple'] as const;
