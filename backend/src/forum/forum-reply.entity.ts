import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('forum_replies')
export class ForumReplyRow {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'post_id' }) postId: string;
  @Column('uuid', { name: 'user_id', nullable: true }) userId: string | null;
  @Column('text') content: string;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
  @Column('text', { default: '' }) html: string;
  @Column('int', { default: 0 }) renderer: number;
  @Column('timestamptz', { name: 'edited_at', nullable: true }) editedAt: Date | null;
  @Column('boolean', { name: 'is_hidden', default: false }) isHidden: boolean;
  @Column('text', { name: 'moderation_reason', nullable: true }) moderationReason: string | null;
}
