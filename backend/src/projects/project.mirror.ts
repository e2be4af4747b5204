import { Inject, Injectable, Logger } from '@nestjs/common';
import { nameKey } from '@orange-id/contract/text.rule';
import { DataSource, EntityManager, In } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { newId } from '../database/new.id.js';
import { holdAccount } from '../auth/account.locks.js';
import { ApiKey } from '../keys/api-key.entity.js';
import { ApiKeyFactory } from '../keys/api-key.factory.js';
import { canBeHostedKey } from '../keys/hosted-key.rule.js';
import { KeyChanges } from '../keys/key.changes.js';
import { ProjectUrl } from './project-url.entity.js';

/** The fields of a service's project that are stored here. */
export interface UpstreamProject {
  code: string;
  projectName: string;
  apiKey: string;
  urls: readonly string[];
}

/**
 * The fields of one project in a response; missing fields stay unchanged. `urls` computes the new list from the stored
 * one.
 */
export interface UpstreamChange {
  code: string;
  projectName?: string;
  apiKey?: string;
  urls?: (kept: readonly string[]) => readonly string[];
}

interface Kept {
  id: string;
  code: string;
  projectName: string;
  keyId: string | null;
  keyHash: Buffer | null;
  urls: string[];
}

/**
 * Stores the projects, URLs and keys that a hosted service returns, so that this portal can check and record calls with
 * these keys. Responses can arrive out of order: each request gets a number when it is sent, and a list is ignored if a
 * later request was answered first.
 */
@Injectable()
export class ProjectMirror {
  private readonly logger = new Logger('Project service');

  constructor(
    private readonly dataSource: DataSource,
    private readonly apiKeys: ApiKeyFactory,
    private readonly keyChanges: KeyChanges,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** The sequence number of a request. Take it before sending the request. */
  async sequence(): Promise<bigint> {
    const [{ sequence }] = await this.dataSource.query(`select nextval('project_mirror_asks') as sequence`);
    return BigInt(sequence);
  }

  /** The code of the owner's mirrored project of that name; null if none or several have it. */
  async codeOf(ownerId: string, projectName: string): Promise<string | null> {
    const rows: { code: string }[] = await this.dataSource.query(
      'select code from projects where owner_id = $1 and service = $2 and name_key = $3 limit 2',
      [ownerId, this.service, storable(nameKey(projectName))],
    );
    return rows.length === 1 ? (rows[0]?.code ?? null) : null;
  }

  /** Stores the owner's whole list: projects missing from it lose their key. Does nothing if newer data has arrived. */
  async keepAll(ownerId: string, sequence: bigint, upstream: readonly UpstreamProject[]): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const newest = await this.hold(manager, ownerId);
      if (newest > sequence) return;
      const kept = await this.keptOf(manager, ownerId);
      const changed: string[] = [];
      for (const { urls, ...one } of upstream) {
        const change = { ...one, urls: () => urls };
        changed.push(...(await this.keep(manager, ownerId, change, kept.get(one.code))));
      }
      const codes = new Set(upstream.map(({ code }) => code));
      const vanished = [...kept.values()].flatMap(({ code, keyId }) =>
        keyId === null || codes.has(code) ? [] : [keyId],
      );
      if (vanished.length > 0) await manager.update(ApiKey, { id: In(vanished) }, { isActive: false });
      await this.note(manager, ownerId, sequence);
      await this.keyChanges.record(manager, [...new Set([...changed, ...vanished])]);
    });
  }

  /**
   * Stores one change that the service has made. Resolves to whether the mirror is accurate: it is not if other data
   * has arrived since `sequence`, because only the service knows which came last, or if the project's name is still
   * unknown; then read the list. `urls` are the stored ones.
   */
  async keepOne(
    ownerId: string,
    sequence: bigint,
    upstream: UpstreamChange,
  ): Promise<{ isTrue: boolean; urls: string[] }> {
    return this.dataSource.transaction(async (manager) => {
      const newest = await this.hold(manager, ownerId);
      const known = (await this.keptOf(manager, ownerId, upstream.code)).get(upstream.code);
      const changed = await this.keep(manager, ownerId, upstream, known);
      // Lists still in transit may predate this change.
      await this.note(manager, ownerId, null);
      await this.keyChanges.record(manager, changed);
      const kept = (await this.keptOf(manager, ownerId, upstream.code)).get(upstream.code);
      return { isTrue: newest <= sequence && kept !== undefined, urls: kept?.urls ?? [] };
    });
  }

  /** Serialises updates of the same owner's projects; resolves to the newest sequence stored. */
  private async hold(manager: EntityManager, ownerId: string): Promise<bigint> {
    await holdAccount(manager, ownerId);
    const [row] = await manager.query('select asked from project_mirrors where owner_id = $1', [ownerId]);
    return BigInt(row?.asked ?? 0);
  }

  private async note(manager: EntityManager, ownerId: string, sequence: bigint | null): Promise<void> {
    await manager.query(
      `insert into project_mirrors (owner_id, asked) values ($1, coalesce($2, nextval('project_mirror_asks')))
       on conflict (owner_id) do update set asked = excluded.asked`,
      [ownerId, sequence === null ? null : String(sequence)],
    );
  }

  private async keptOf(manager: EntityManager, ownerId: string, code?: string): Promise<Map<string, Kept>> {
    const rows: Kept[] = await manager.query(
      `select p.id, p.code, p.project_name as "projectName", k.id as "keyId", k.key_hash as "keyHash",
              (select coalesce(json_agg(url order by id), '[]') from project_urls where project_id = p.id) as urls
       from projects p left join api_keys k on k.project_id = p.id and k.is_active
       where p.owner_id = $1 and p.service = $2 and ($3::text is null or p.code = $3)`,
      [ownerId, this.service, code === undefined ? null : storable(code)],
    );
    return new Map(rows.map((row) => [row.code, row]));
  }

  /** Updates one project; resolves to the keys that changed, or whose project did. */
  private async keep(
    manager: EntityManager,
    ownerId: string,
    { code, apiKey, ...upstream }: UpstreamChange,
    known: Kept | undefined,
  ): Promise<string[]> {
    if (!isCode(code)) return this.skip(code, 'has an invalid code');
    const projectName =
      upstream.projectName === undefined ? known?.projectName : storable(upstream.projectName);
    if (projectName === undefined) return [];
    const kept = known ?? (await this.add(manager, ownerId, { code, projectName }));
    if (kept === null) return this.skip(code, 'belongs to another user or to this portal');

    let isChanged = false;
    if (kept.projectName !== projectName) {
      await manager.query('update projects set project_name = $2, name_key = $3 where id = $1', [
        kept.id,
        projectName,
        nameKey(projectName),
      ]);
      isChanged = true;
    }
    if (upstream.urls !== undefined && (await this.keepUrls(manager, kept, upstream.urls(kept.urls))))
      isChanged = true;
    const keys = apiKey === undefined ? [] : await this.keepKey(manager, ownerId, kept, apiKey);
    if (isChanged && kept.keyId !== null) keys.push(kept.keyId);
    return [...new Set(keys)];
  }

  /**
   * Null if the code belongs to another user or to a project of this portal, so that nobody loses a project. A mirror
   * of a service that is no longer configured may be taken over.
   */
  private async add(
    manager: EntityManager,
    ownerId: string,
    { code, projectName }: { code: string; projectName: string },
  ): Promise<Kept | null> {
    const rows: { id: string }[] = await manager.query(
      `insert into projects as p (id, code, owner_id, project_name, name_key, service) values ($1, $2, $3, $4, $5, $6)
       on conflict (code) do update set owner_id = $3, project_name = $4, name_key = $5, service = $6
         where p.service <> excluded.service
       returning id`,
      [newId(), code, ownerId, projectName, nameKey(projectName), this.service],
    );
    return rows.length === 0 ? null : ((await this.keptOf(manager, ownerId, code)).get(code) ?? null);
  }

  private async keepUrls(manager: EntityManager, kept: Kept, upstream: readonly string[]): Promise<boolean> {
    const urls = new Set(upstream.flatMap((url) => comparedForm(url) ?? []));
    const added = [...urls].filter((url) => !kept.urls.includes(url));
    const gone = kept.urls.filter((url) => !urls.has(url));
    if (gone.length > 0) await manager.delete(ProjectUrl, { projectId: kept.id, url: In(gone) });
    if (added.length > 0) {
      await manager.insert(
        ProjectUrl,
        added.map((url) => ({ id: newId(), projectId: kept.id, url })),
      );
    }
    return added.length + gone.length > 0;
  }

  private async keepKey(
    manager: EntityManager,
    ownerId: string,
    kept: Kept,
    apiKey: string,
  ): Promise<string[]> {
    const hashes = this.apiKeys.hashesOf(apiKey);
    if (kept.keyHash !== null && hashes.some((hash) => hash.equals(kept.keyHash as Buffer))) return [];
    const old = kept.keyId === null ? [] : [kept.keyId];
    if (kept.keyId !== null) await manager.update(ApiKey, { id: kept.keyId }, { isActive: false });
    if (!canBeHostedKey(apiKey)) {
      this.skip(kept.code, 'has an API key that can’t be sent in a header');
      return old;
    }
    // The key may have been live before, if its project had disappeared and is back.
    const before = await manager.findOne(ApiKey, { where: { keyHash: In(hashes) } });
    if (before === null) {
      const { row } = this.apiKeys.adopt(apiKey, {
        userId: ownerId,
        projectId: kept.id,
        name: kept.projectName,
        ...(kept.keyId === null ? {} : { replacesId: kept.keyId }),
      });
      const { raw } = await manager
        .createQueryBuilder()
        .insert()
        .into(ApiKey)
        .values(row)
        .orIgnore()
        .returning('id')
        .execute();
      if ((raw as unknown[]).length === 1) return [...old, row.id];
    } else if (before.projectId === kept.id) {
      await manager.update(ApiKey, { id: before.id }, { isActive: true, userId: ownerId });
      return [...old, before.id];
    }
    this.skip(kept.code, 'has an API key that’s already in use here');
    return old;
  }

  private skip(code: string, why: string): string[] {
    this.logger.warn(
      `Project ${JSON.stringify(code.slice(0, 100))} isn’t saved here, so its API key doesn’t work: it ${why}`,
    );
    return [];
  }

  private get service(): string {
    return this.environment.PROJECT_SERVICE_URL as string;
  }
}

/** The project ids that this portal's filters and columns can hold. */
const isCode = (code: string): boolean => /^[\x21-\x7e]{1,64}$/.test(code);

/** PostgreSQL stores no null bytes. */
const storable = (text: string): string => text.replaceAll('\0', '').slice(0, 1000);

/** The form in which an `Origin` is compared with a URL; the service has already decided which URLs are allowed. */
export function comparedForm(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? `${protocol}//${hostname}` : null;
}
