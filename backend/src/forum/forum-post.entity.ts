import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ForumCategory } from '@orange-id/contract/forum.schema';

/** A post. The database fills the column `search`, which no query returns. */
@Entity('forum_posts')
export class ForumPostRow {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'user_id', nullable: true }) userId: string | null;
  @Column('text') title: string;
  @Column('text') content: string;
  @Column('text') category: ForumCategory;
  @Column('boolean', { name: 'is_resolved', default: false }) isResolved: boolean;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' }) updatedAt: Date;
  @Column('text', { default: '' }) html: string;
  @Column('int', { default: 0 }) renderer: number;
  @Column('text', { default: '' }) excerpt: string;
  @Column('int', { name: 'reply_count', default: 0 }) replyCount: number;
  @Column('uuid', { name: 'accepted_reply_id', nullable: true }) acceptedReplyId: string | null;
  @Column('timestamptz', { name: 'edited_at', nullable: true }) editedAt: Date | null;
  @Column('boolean', { name: 'is_hidden', default: false }) isHidden: boolean;
  @Column('boolean', { name: 'is_locked', default: false }) isLocked: boolean;
  @Column('boolean', { name: 'is_pinned', default: false }) isPinned: boolean;
  @Column('text', { name: 'moderation_reason', nullable: true }) moderationReason: string | null;
}
