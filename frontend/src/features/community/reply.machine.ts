import { submissionMachine } from '../../ui/submission';

/** Publishes a reply, or changes the user's reply `id`. */
export const writeReplyMachine = submissionMachine<{ id: string | null; content: string }>('writeReply');
