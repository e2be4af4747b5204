/** What a project needs of its owner's profile before it can be made (spec §5). */
export type ProfileGap = 'email' | 'displayName';

/** The parts of the profile that are missing or blank; nothing is ever invented in their place. */
export function profileGaps(user: { email?: string | null; displayName?: string | null }): ProfileGap[] {
  const gaps: ProfileGap[] = [];
  if (!user.email?.trim()) gaps.push('email');
  if (!user.displayName?.trim()) gaps.push('displayName');
  return gaps;
}
