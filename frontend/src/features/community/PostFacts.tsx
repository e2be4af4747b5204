import { CheckCircleOutlined, LockOutlined, PushpinOutlined } from '@ant-design/icons';
import type { ForumPostSummary } from '@orange-id/contract/forum.schema';
import { Tag } from 'antd';
import styles from './community.module.css';

type Marked = Pick<ForumPostSummary, 'category' | 'isPinned' | 'isLocked' | 'isResolved'>;

/** A post's category and marks, as a list and the post itself show them. */
export const PostFacts = ({ post }: { post: Marked }) => (
  <>
    <Tag>{post.category}</Tag>
    {post.isPinned && (
      <span>
        <PushpinOutlined aria-hidden /> Pinned
      </span>
    )}
    {post.isLocked && (
      <span>
        <LockOutlined aria-hidden /> Locked
      </span>
    )}
    {post.isResolved && (
      <span className={styles.resolved}>
        <CheckCircleOutlined aria-hidden /> Resolved
      </span>
    )}
  </>
);
