/** The profile fields that a project's owner must have before creating it. */
export type ProfileGap = 'email' | 'displayName';

/** The fields of the profile that are missing or blank; no defaults replace them. */
export function profileGaps(user: { email?: string | null; displayName?: string | null }): ProfileGap[] {
  const gaps: ProfileGap[] = [];
  if (!user.email?.trim()) gaps.push('email');
  if (!user.displayName?.trim()) gaps.push('displayName');
  return gaps;
}

/** ASCII only: similar letters of other alphabets would make two names look the same. */
const userName = /^[a-z0-9._-]*$/i;

/** Whether text has only characters allowed in a username. Empty text is valid: it removes the username. */
export const isUserNameSpelling = (text: string): boolean => userName.test(text);
