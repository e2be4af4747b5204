import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { CreateExport, ExportFormat } from '@orange-id/contract/usage.export.schema';
import type { UsageFilters } from '@orange-id/contract/usage.filter.schema';
import type { UsageRow } from '@orange-id/contract/usage.schema';
import { createHash, randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { holdAccount } from '../auth/account.locks.js';
import { PortalError } from '../http/portal.error.js';
import { exportHead, exportLine, ExportNames } from './export.text.js';
import { UsageBulkhead } from './usage.bulkhead.js';
import { USAGE_HISTORY } from './usage.history.port.js';
import type { UsageHistory } from './usage.history.port.js';
import { checkRange, UsageService } from './usage.service.js';

/** Rows kept in memory at a time, for each download. */
const rowsPerRead = 500;
/** Sequence numbers per query, so that a filter with few matches does not cause a long read. */
const seqsPerRead = 50_000;

/** A new export address. The requesting browser keeps `browserSecret`; the server keeps hashes of it and of `token`. */
export interface ExportAddress {
  token: string;
  browserSecret: string;
  askedAt: Date;
  expiresAt: Date;
}

/** Who fetches an export: the browser that requested it, or the user of a bearer token. */
export interface Fetcher {
  browserSecret: string | null;
  userId: string | null;
}

/** The export that an address stands for. */
export interface UsageExport {
  userId: string;
  format: ExportFormat;
  filters: UsageFilters;
  upToSeq: number;
  askedAt: Date;
}

/**
 * Exports of usage. A signed-in user creates an address, which works for a minute in the browser that asked, or once. The export contains the rows that matched
 * the filters at the time of the request, read in pieces by sequence number, so that no snapshot stays open and memory
 * stays small for any size and download speed. Each piece waits for its usage query slot.
 */
@Injectable()
export class UsageExports {
  constructor(
    private readonly dataSource: DataSource,
    private readonly usage: UsageService,
    @Inject(USAGE_HISTORY) private readonly history: UsageHistory,
    private readonly bulkhead: UsageBulkhead,
  ) {}

  /**
   * Creates an address. Throws 404 for another user's key or project, `request.invalid` for an invalid range,
   * `usage.exportsWaiting` if the user already has `limits.exportAddressesPerUser` unused addresses.
   */
  async create(userId: string, { format, filters }: CreateExport): Promise<ExportAddress> {
    checkRange(filters);
    await this.usage.checkOwner(userId, filters);
    await this.dataSource.query('delete from usage_exports where expires_at <= now()');
    const [token, browserSecret] = [newSecret(), newSecret()];
    // Of concurrent requests each must count the addresses of those before it.
    const made = await this.dataSource.transaction(async (manager) => {
      await holdAccount(manager, userId);
      const rows: { asked_at: Date; expires_at: Date }[] = await manager.query(
        `insert into usage_exports (token_hash, browser_hash, user_id, format, filters, up_to_seq, expires_at)
         select $1, $2, $3, $4, $5, coalesce((select seq from usage_heads where user_id = $3), 0),
           now() + $6 * interval '1 millisecond'
         where (select count(*) from usage_exports where user_id = $3 and used_at is null) < $7
         returning asked_at, expires_at`,
        [
          hashOf(token),
          hashOf(browserSecret),
          userId,
          format,
          JSON.stringify(filters),
          limits.exportAddressMs,
          limits.exportAddressesPerUser,
        ],
      );
      return rows;
    });
    const row = made[0];
    if (!row) {
      throw new PortalError('usage.exportsWaiting', { retryAfterSeconds: limits.exportAddressMs / 1000 });
    }
    return { token, browserSecret, askedAt: row.asked_at, expiresAt: row.expires_at };
  }

  /**
   * Uses an address. A bearer token uses it up; the browser that asked for it can repeat the download until it expires,
   * as iOS does. Throws `usage.exportGone` if it is unknown, used up or expired, or belongs to someone else.
   * `begin` may refuse the download of its owner by throwing; the address then stays.
   */
  async take(
    token: string,
    { browserSecret, userId }: Fetcher,
    begin: (ownerId: string) => void,
  ): Promise<UsageExport> {
    interface ExportRow {
      user_id: string;
      format: ExportFormat;
      filters: UsageFilters;
      up_to_seq: string;
      asked_at: Date;
    }
    const row = await this.dataSource.transaction(async (manager) => {
      const returning = 'returning user_id, format, filters, up_to_seq, asked_at';
      // The driver returns [rows, count] for an update or a delete.
      const [[ofBrowser]]: [ExportRow[], number] = await manager.query(
        `update usage_exports set used_at = now()
         where token_hash = $1 and expires_at > now() and browser_hash = $2 ${returning}`,
        [hashOf(token), browserSecret === null ? null : hashOf(browserSecret)],
      );
      const [[ofUser]]: [ExportRow[], number] = ofBrowser
        ? [[], 0]
        : await manager.query(
            `delete from usage_exports
             where token_hash = $1 and expires_at > now() and user_id = $2 and used_at is null ${returning}`,
            [hashOf(token), userId],
          );
      const found = ofBrowser ?? ofUser;
      if (found) begin(found.user_id);
      return found;
    });
    if (!row) throw new PortalError('usage.exportGone');
    const { user_id, format, filters, up_to_seq, asked_at } = row;
    return { userId: user_id, format, filters, upToSeq: Number(up_to_seq), askedAt: asked_at };
  }

  /**
   * The text of an export, newest row first, in pieces of at most `rowsPerRead` rows, each read on demand. Between two
   * pieces it holds no rows and no names.
   */
  async *text(wanted: UsageExport): AsyncGenerator<string> {
    const head = exportHead(wanted.format);
    if (head !== '') yield head;
    const { first, last } = await this.inTurn(wanted, () =>
      this.history.seqRange(wanted.userId, wanted.filters, wanted.upToSeq),
    );
    for (let high = last; high >= first;) {
      const { text, next } = await this.inTurn(wanted, () => this.piece(wanted, first, high));
      high = next;
      if (text !== '') yield text;
    }
  }

  /** The next rows down from `high`, and where those after them begin. */
  private async piece(
    wanted: UsageExport,
    first: number,
    high: number,
  ): Promise<{ text: string; next: number }> {
    const low = Math.max(first, high - seqsPerRead + 1);
    const { format, userId, filters } = wanted;
    const rows = await this.history.rowsIn(userId, filters, { first: low, last: high }, rowsPerRead);
    const names = format === 'csv' ? await this.namesOf(userId, rows) : noNames;
    return {
      text: rows.map((row) => exportLine(format, row, names)).join(''),
      next: rows.length < rowsPerRead ? low - 1 : (rows.at(-1) as UsageRow).seq - 1,
    };
  }

  private inTurn<T>({ userId }: UsageExport, read: () => Promise<T>): Promise<T> {
    return this.bulkhead.run(userId, read, limits.exportPieceWaitMs);
  }

  private async namesOf(userId: string, rows: readonly UsageRow[]): Promise<ExportNames> {
    const read = async (sql: string, ids: ReadonlySet<string | null>) => {
      const found: { id: string; name: string }[] = await this.dataSource.query(sql, [userId, [...ids]]);
      return new Map(found.map(({ id, name }) => [id, name]));
    };
    return {
      keys: await read(
        'select id, name from api_keys where user_id = $1 and id = any($2)',
        new Set(rows.map(({ keyId }) => keyId)),
      ),
      projects: await read(
        'select code as id, project_name as name from projects where owner_id = $1 and code = any($2)',
        new Set(rows.map(({ projectId }) => projectId)),
      ),
    };
  }
}

const noNames: ExportNames = { keys: new Map(), projects: new Map() };
const newSecret = (): string => randomBytes(32).toString('base64url');
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
