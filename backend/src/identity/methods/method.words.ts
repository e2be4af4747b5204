/** A linked method, described so that its owner recognises it and another reader of the mailbox learns no more. */
export function methodWords(provider: string, label: string): string {
  if (provider === 'wallet') return `the wallet ${label.slice(0, 6)}…${label.slice(-4)}`;
  if (provider === 'email') return `email sign-in with ${label}`;
  return provider === 'google' ? 'a Google account' : 'an Apple account';
}
