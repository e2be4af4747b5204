import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { DataSource } from 'typeorm';
import type { Address } from 'viem';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { newId } from '../database/new.id.js';
import { PortalError } from '../http/portal.error.js';

/** Whose tokens: those of a project, or those of the account of a key that belongs to no project. */
export interface TokenOwner {
  userId: string;
  project: { code: string } | null;
}

export interface StoredToken {
  address: string;
  name: string;
  symbol: string;
  decimals: number;
}

/**
 * The tokens that callers added. Everyone who opens a project's site can read its key, so the project and its owner
 * have separate lists, and neither shows the other's tokens.
 */
@Injectable()
export class AddedTokens {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Newest first. */
  async list(owner: TokenOwner): Promise<StoredToken[]> {
    const list = await this.listOf(owner);
    return this.dataSource.query(
      `select address, name, symbol, decimals from added_tokens where ${list.where}
       order by added_at desc, address`,
      [list.id],
    );
  }

  async find(owner: TokenOwner, address: Address): Promise<StoredToken | null> {
    const list = await this.listOf(owner);
    const [found]: StoredToken[] = await this.dataSource.query(
      `select address, name, symbol, decimals from added_tokens where ${list.where} and address = $2`,
      [list.id, address],
    );
    return found ?? null;
  }

  /**
   * Adds a token, or refreshes what is stored of it. A list keeps `limits.addedTokensPerList`; the one added longest ago
   * makes room. Throws `key.deleted` if the project has just been deleted.
   */
  async add(owner: TokenOwner, token: StoredToken): Promise<void> {
    const list = await this.listOf(owner);
    await this.dataSource.query(
      `insert into added_tokens (id, user_id, project_id, address, name, symbol, decimals, added_at)
       values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())
       on conflict ${list.key} do update
         set name = excluded.name, symbol = excluded.symbol, decimals = excluded.decimals,
           added_at = excluded.added_at`,
      [
        newId(),
        owner.userId,
        owner.project === null ? null : list.id,
        token.address,
        token.name,
        token.symbol,
        token.decimals,
      ],
    );
    await this.dataSource.query(
      `delete from added_tokens where id in (
         select id from added_tokens where ${list.where} order by added_at desc, address offset $2)`,
      [list.id, limits.addedTokensPerList],
    );
  }

  private async listOf({ userId, project }: TokenOwner): Promise<{ id: string; where: string; key: string }> {
    if (project === null) {
      return {
        id: userId,
        where: 'user_id = $1 and project_id is null',
        key: '(user_id, address) where project_id is null',
      };
    }
    const [found]: { id: string }[] = await this.dataSource.query(
      'select id from projects where code = $1 and service is not distinct from $2',
      [project.code, this.environment.PROJECT_SERVICE_URL ?? null],
    );
    // The project was deleted since the key was looked up.
    if (found === undefined) throw new PortalError('key.deleted');
    return {
      id: found.id,
      where: 'project_id = $1',
      key: '(project_id, address) where project_id is not null',
    };
  }
}
