import { submissionMachine } from '../../ui/submission';

/** Publishes a reply, or changes the user's reply `id`; `isForced` replaces a newer version of it. */
export const writeReplyMachine = submissionMachine<{ id: string | null; content: string; isForced: boolean }>(
  'writeReply',
);
