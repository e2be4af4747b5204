import type { ForumMail } from '@orange-id/contract/forum.schema';
import { submissionMachine } from '../../ui/submission';

/** Turns the user's email about the community on or off. */
export const forumMailMachine = submissionMachine<ForumMail>('forumMail');
