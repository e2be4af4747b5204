import { limits } from '@orange-id/contract/limits';
import { profileGaps, type ProfileGap } from '@orange-id/contract/profile.rule';
import { profileUpdate, type ProfileUpdate } from '@orange-id/contract/profile.schema';
import { checkName, type NameVerdict } from '@orange-id/contract/text.rule';

export type Profile = Parameters<typeof profileGaps>[0];

/** Checks the name of a new project. */
export const projectNameVerdict = (name: string): NameVerdict =>
  checkName(name, limits.projectNameMaxCharacters);

/** `required`: the field is empty; else the contract's 'must …' phrase for the error. */
export type ProfileRefusal = 'required' | { phrase: string };

/** Why this text isn't valid for the profile field; `null` if it is. */
export function profileTextRefusal(part: ProfileGap, text: string): ProfileRefusal | null {
  if (text.trim() === '') return 'required';
  const issue = profileUpdate.safeParse({ [part]: text.trim() }).error?.issues[0];
  return issue ? { phrase: issue.message } : null;
}

/** The errors of the texts for the missing profile fields, by field. */
export const profileTextRefusals = (
  profile: Profile,
  texts: Record<ProfileGap, string>,
): Partial<Record<ProfileGap, ProfileRefusal>> =>
  Object.fromEntries(
    profileGaps(profile).flatMap((part) => {
      const refusal = profileTextRefusal(part, texts[part]);
      return refusal === null ? [] : [[part, refusal]];
    }),
  );

/** The update that fills the missing profile fields with the typed texts, trimmed. */
export const profileFilling = (profile: Profile, texts: Record<ProfileGap, string>): ProfileUpdate =>
  Object.fromEntries(profileGaps(profile).map((part) => [part, texts[part].trim()]));
