import { moderatePost, moderateReply } from '../../api/community/forum.calls';
import type { Moderation } from './moderation.machine';

/** Sends what an administrator changes. */
export const sendModeration = ({ postId, reply, body }: Moderation): Promise<unknown> =>
  reply === null
    ? moderatePost(postId, body)
    : moderateReply(postId, reply.id, { isHidden: body.isHidden ?? false, reason: body.reason });
