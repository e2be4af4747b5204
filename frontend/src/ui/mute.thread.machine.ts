import { submissionMachine } from './submission';

/** Mutes the email about a thread of the community, or ends that. */
export const muteThreadMachine = submissionMachine<{ postId: string; isMuted: boolean }>('muteThread');
