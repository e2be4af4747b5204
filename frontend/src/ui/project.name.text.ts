import { limits } from '@orange-id/contract/limits';
import type { NameRefusal } from '@orange-id/contract/text.rule';

/** The sentences for a rejected project name. */
export const projectNameSentences: Record<NameRefusal | 'taken', string> = {
  required: 'Please enter a project name.',
  tooLong: `A project name can have at most ${limits.projectNameMaxCharacters} characters.`,
  invisible: 'A project name can’t contain invisible or control characters.',
  taken: 'Project name already taken',
};
