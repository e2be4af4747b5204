/** The statement of every sign-in message of the identity client; the service accepts no other. */
export const siweStatement = 'Sign in to Bedrock Passport';
