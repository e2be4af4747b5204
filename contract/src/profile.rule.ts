/** What a project needs of its owner's profile before it can be made. */
export type ProfileGap = 'email' | 'displayName';

/** The parts of the profile that are missing or blank; nothing is ever invented in their place. */
export function profileGaps(user: { email?: string | null; displayName?: string | null }): ProfileGap[] {
  const gaps: ProfileGap[] = [];
  if (!user.email?.trim()) gaps.push('email');
  if (!user.displayName?.trim()) gaps.push('displayName');
  return gaps;
}

/** ASCII alone: letters of other alphabets that look alike would make two names that nobody tells apart. */
const userName = /^[a-z0-9._-]*$/i;

/** Whether text is made of what a username may hold. Empty text is: it takes a username away. */
export const isUserNameSpelling = (text: string): boolean => userName.test(text);
