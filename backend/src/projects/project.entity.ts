import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * An integration project. `code` is its public id; `nameKey` is unique per owner. With `service` set it mirrors a
 * project of the hosted project service at that address.
 */
@Entity('projects')
export class Project {
  @PrimaryColumn('uuid') id: string;
  @Column('text', { unique: true }) code: string;
  @Column('uuid', { name: 'owner_id' }) ownerId: string;
  @Column('text', { name: 'project_name' }) projectName: string;
  @Column('text', { name: 'name_key' }) nameKey: string;
  @Column('text', { nullable: true }) source: string | null;
  @Column('text', { nullable: true }) service: string | null;
  /** Browser extensions and `null`, which may call with the project's key. */
  @Column('text', { name: 'other_origins', array: true, default: '{}' }) otherOrigins: string[];
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { name: 'last_updated_at', default: () => 'now()' }) lastUpdatedAt: Date;
}
