import type { ForumReply, ForumReport, ModerateForumPost } from '@orange-id/contract/forum.schema';
import { submissionMachine } from '../../ui/submission';

export interface Moderation {
  postId: string;
  /** `null` if the post itself is moderated. */
  reply: Pick<ForumReply, 'id' | 'isHidden'> | null;
  body: ModerateForumPost;
}

/** Hides, locks, pins or moves a post, or hides a reply, by an administrator, with a reason. */
export const moderatePostMachine = submissionMachine<Moderation>('moderatePost');

/** Reports a post or a reply to the administrators, with a reason. */
export const reportPostMachine = submissionMachine<{ replyId: string | null; reason: string }>('reportPost');

/** Closes the reports about a post or a reply, without changing it. */
export const dismissReportMachine = submissionMachine<ForumReport>('dismissReport');
