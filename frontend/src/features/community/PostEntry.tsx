import { mayEditForum, type ForumPost } from '@orange-id/contract/forum.schema';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { Ago } from '../../ui/Ago';
import { EditPost } from './EditPost';
import { MuteButton } from './MuteButton';
import { PostFacts } from './PostFacts';
import { PostText } from './PostText';
import type { ThreadActs } from './useThreadActs';
import styles from './community.module.css';

/** What an administrator changed last, and why. */
export const ModerationNote = ({ reason }: { reason: string | null }) =>
  reason === null ? null : (
    <Alert type="info" showIcon role="note" title={`An administrator changed this: ${reason}`} />
  );

/** The post itself, with what its reader can do. */
export function PostEntry({ post, acts }: { post: ForumPost; acts: ThreadActs }) {
  const [isEditing, setIsEditing] = useState(false);
  const isOwn = mayEditForum(post, acts.userId);
  if (isEditing) return <EditPost post={post} onEnd={() => setIsEditing(false)} />;
  const { resolution, deletion, moderation, report } = acts;
  return (
    <article className={`light-card ${styles.entry}`} aria-labelledby="post-title">
      <h1 id="post-title">{post.isHidden ? 'Hidden post' : post.title}</h1>
      <div className={`note ${styles.facts}`}>
        <PostFacts post={post} />
        <strong>{post.authorName}</strong>
        <Ago iso={post.createdAt} />
        {post.editedAt !== null && (
          <span>
            edited <Ago iso={post.editedAt} />
          </span>
        )}
      </div>
      <ModerationNote reason={post.moderationReason} />
      {!post.isHidden && <PostText html={post.html} level={2} />}
      {acts.isSignedIn && (
        <div className={styles.actions}>
          {isOwn && !post.isLocked && (
            <>
              <Button
                type="text"
                size="small"
                onClick={() =>
                  resolution.send({
                    type: 'submission.start',
                    subject: { isResolved: !post.isResolved, acceptedReplyId: null },
                  })
                }
              >
                {post.isResolved ? 'Reopen' : 'Mark as resolved'}
              </Button>
              <Button type="text" size="small" onClick={() => setIsEditing(true)}>
                Edit
              </Button>
            </>
          )}
          {isOwn && (
            <Button
              type="text"
              size="small"
              onClick={() => deletion.send({ type: 'submission.open', subject: { post, replyId: null } })}
            >
              Delete
            </Button>
          )}
          {!isOwn && !post.isHidden && (
            <Button
              type="text"
              size="small"
              onClick={() => report.send({ type: 'submission.open', subject: { replyId: null, reason: '' } })}
            >
              Report
            </Button>
          )}
          <MuteButton postId={post.id} />
          {acts.isAdministrator && (
            <Button
              type="text"
              size="small"
              onClick={() =>
                moderation.send({
                  type: 'submission.open',
                  subject: { postId: post.id, reply: null, body: { reason: '' } },
                })
              }
            >
              Moderate
            </Button>
          )}
        </div>
      )}
    </article>
  );
}
