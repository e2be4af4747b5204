/** The statement of every sign-in message of the identity client; the service accepts no other. */
export const siweStatement = 'Sign in to Bedrock Passport';

/**
 * The statement of a message that connects a wallet to a project. It differs from that of a sign-in and between
 * projects, so a signature for one purpose serves no other.
 */
export const connectStatement = (projectCode: string): string =>
  `Connect this wallet to the project ${projectCode}. This does not sign you in or send a transaction.`;
