import { CheckCircleOutlined } from '@ant-design/icons';
import { mayEditForum, type ForumPost, type ForumReply } from '@orange-id/contract/forum.schema';
import { Button } from 'antd';
import { useState } from 'react';
import { useConfig } from '../../api/config/config.context';
import { Link } from 'react-router-dom';
import { Ago } from '../../ui/Ago';
import { CopyButton } from '../../ui/CopyButton';
import { ModerationNote } from './PostEntry';
import { PostText } from './PostText';
import { EditReply } from './ReplyForm';
import type { ThreadActs } from './useThreadActs';
import styles from './community.module.css';

interface ReplyEntryProps {
  post: ForumPost;
  reply: ForumReply;
  /** The URL names it. */
  isNamed: boolean;
  acts: ThreadActs;
  names: readonly string[];
}

/** One reply, with what its reader can do. */
export function ReplyEntry({ post, reply, isNamed, acts, names }: ReplyEntryProps) {
  const { publicUrl } = useConfig();
  const [isEditing, setIsEditing] = useState(false);
  const isOwn = mayEditForum(reply, acts.userId);
  const path = `/community/posts/${post.id}#reply-${reply.id}`;
  const { resolution, deletion, moderation, report } = acts;
  return (
    <article
      id={`reply-${reply.id}`}
      aria-label={`Reply by ${reply.authorName}`}
      className={`light-card ${styles.entry}`}
      data-accepted={reply.isAccepted || undefined}
      data-named={isNamed || undefined}
    >
      <div className={`note ${styles.entryHead}`}>
        <strong>{reply.authorName}</strong>
        <Link to={path}>
          <Ago iso={reply.createdAt} />
        </Link>
        {reply.editedAt !== null && (
          <span>
            edited <Ago iso={reply.editedAt} />
          </span>
        )}
        {reply.isAccepted && (
          <span className={styles.resolved}>
            <CheckCircleOutlined aria-hidden /> Accepted answer
          </span>
        )}
      </div>
      <ModerationNote reason={reply.moderationReason} />
      {reply.isHidden ? (
        <span className="note">This reply is hidden.</span>
      ) : isEditing ? (
        <EditReply reply={reply} names={names} onEnd={() => setIsEditing(false)} />
      ) : (
        <PostText html={reply.html} level={3} />
      )}
      {!isEditing && (
        <div className={styles.actions}>
          <CopyButton
            iconOnly
            type="text"
            size="small"
            text={new URL(path, publicUrl).href}
            label="link to reply"
          />
          {mayEditForum(post, acts.userId) && !post.isLocked && !reply.isHidden && (
            <Button
              type="text"
              size="small"
              onClick={() =>
                resolution.send({
                  type: 'submission.start',
                  subject: reply.isAccepted
                    ? { isResolved: false, acceptedReplyId: null }
                    : { isResolved: true, acceptedReplyId: reply.id },
                })
              }
            >
              {reply.isAccepted ? 'Unmark as answer' : 'Accept as answer'}
            </Button>
          )}
          {isOwn && !post.isLocked && !reply.isHidden && (
            <Button type="text" size="small" onClick={() => setIsEditing(true)}>
              Edit
            </Button>
          )}
          {isOwn && (
            <Button
              type="text"
              size="small"
              onClick={() => deletion.send({ type: 'submission.open', subject: { post, replyId: reply.id } })}
            >
              Delete
            </Button>
          )}
          {acts.isSignedIn && !isOwn && !reply.isHidden && (
            <Button
              type="text"
              size="small"
              onClick={() =>
                report.send({ type: 'submission.open', subject: { replyId: reply.id, reason: '' } })
              }
            >
              Report
            </Button>
          )}
          {acts.isAdministrator && (
            <Button
              type="text"
              size="small"
              onClick={() =>
                moderation.send({
                  type: 'submission.open',
                  subject: { postId: post.id, reply, body: { isHidden: !reply.isHidden, reason: '' } },
                })
              }
            >
              {reply.isHidden ? 'Show' : 'Hide'}
            </Button>
          )}
        </div>
      )}
    </article>
  );
}
