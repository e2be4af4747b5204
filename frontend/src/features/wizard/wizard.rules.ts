import { limits } from '@orange-id/contract/limits';
import type { profileGaps } from '@orange-id/contract/profile.rule';
import { checkName, type NameVerdict } from '@orange-id/contract/text.rule';

export type Profile = Parameters<typeof profileGaps>[0];

/** Checks the name of a project to be (spec §5). */
export const projectNameVerdict = (name: string): NameVerdict =>
  checkName(name, limits.projectNameMaxCharacters);
