/** The statement of every sign-in message, as the identity client writes it; the service accepts no other. */
export const siweStatement = 'Sign in to Bedrock Passport';
