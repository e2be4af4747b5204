import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A whitelisted URL of a project, normalised to scheme and host name. */
@Entity('project_urls')
export class ProjectUrl {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  @Column('text') url: string;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
}
