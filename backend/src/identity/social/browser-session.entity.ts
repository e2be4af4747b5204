import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A browser's cookie session. It binds sign-in flows to the browser that began them; it authorises nothing. */
@Entity('sessions')
export class BrowserSession {
  @PrimaryColumn('text') sid: string;
  @Column('jsonb') sess: Record<string, unknown>;
  @Column('timestamptz') expire: Date;
}
