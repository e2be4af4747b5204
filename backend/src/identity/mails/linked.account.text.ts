/**
 * A linked method, described so that its owner recognises it and another reader of the mailbox learns no more; several
 * with the same description as one phrase: `2 Google accounts`.
 */
export function linkedAccountText(provider: string, label: string, count = 1): string {
  if (provider === 'wallet') {
    const short = `${label.slice(0, 6)}…${label.slice(-4)}`;
    return count === 1 ? `the wallet ${short}` : `${count} wallets ${short}`;
  }
  if (provider === 'email') return `email sign-in with ${label}`;
  const title = provider === 'google' ? 'Google' : 'Apple';
  if (count > 1) return `${count} ${title} accounts`;
  return `${title === 'Apple' ? 'an' : 'a'} ${title} account`;
}
