import { Inject, Injectable } from '@nestjs/common';
import type { WalletLink } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import type { MeteredAnswer } from '@orange-id/contract/metered.routes';
import { connectStatement } from '@orange-id/contract/siwe.statement';
import type { ConnectedWallets, ConnectedWalletsQuery } from '@orange-id/contract/wallets.schema';
import { DataSource } from 'typeorm';
import type { Address, Hex } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { AttemptLimiter, limitReached } from '../http/attempt.limiter.js';
import { PortalError } from '../http/portal.error.js';
import { NoncesService } from '../identity/wallet/nonces.service.js';
import { SignatureVerifier } from '../identity/wallet/signature.verifier.js';
import { canonicalSiwe } from '../identity/wallet/siwe.rule.js';

/** The project of a key, or `null` for a key that belongs to none. */
type KeyProject = { code: string } | null;

interface ConnectedRow {
  address: string;
  first_connected_at: Date;
  last_connected_at: Date;
}

/**
 * The wallets connected through a project's key. The signed message names the project and says that it signs in
 * nowhere, so no other project and no account accepts it.
 */
@Injectable()
export class ConnectedWalletsService {
  private readonly attempts = new AttemptLimiter(
    limits.walletConnectsPerMinute,
    60_000,
    limitReached(
      `The limit of a project is ${limits.walletConnectsPerMinute} messages and connections a minute`,
    ),
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly nonces: NoncesService,
    private readonly signatures: SignatureVerifier,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * A message (EIP-4361) for this wallet's owner to sign, with a new nonce, as fields and as the text to sign. Throws
   * `wallet.projectRequired`, and `request.rateLimited` after `limits.walletConnectsPerMinute` of a project.
   */
  async message(project: KeyProject, address: Address): Promise<MeteredAnswer<'walletMessage'>> {
    const { code } = this.take(project);
    const { origin, host } = new URL(this.environment.PUBLIC_URL);
    const issuedAt = new Date();
    const message = {
      domain: host,
      address,
      statement: connectStatement(code),
      uri: origin,
      version: '1' as const,
      chainId: limits.chainId,
      nonce: await this.nonces.make(),
    };
    return {
      message: { ...message, issuedAt: issuedAt.toISOString() },
      text: createSiweMessage({ ...message, issuedAt }),
      expires_at: new Date(issuedAt.getTime() + limits.siweNonceMs).toISOString(),
    };
  }

  /**
   * Records the wallet whose owner has signed this message, and consumes its nonce. A project keeps
   * `limits.connectedWalletsPerProject`; the one connected longest ago makes room. Throws `wallet.projectRequired`,
   * `auth.messageInvalid`, `auth.nonceInvalid`, `auth.signatureInvalid`, `auth.smartAccountsUnavailable`,
   * `chain.unavailable`, `key.deleted`, and `request.rateLimited` and `service.tooManyCalls`, which consume no nonce.
   */
  async connect(
    owner: string,
    project: KeyProject,
    { message, signature }: WalletLink,
  ): Promise<MeteredAnswer<'walletConnect'>> {
    const { code } = this.take(project);
    const { text, address } = canonicalSiwe(message, {
      portals: [this.environment.PUBLIC_URL],
      statement: connectStatement(code),
      nowMs: Date.now(),
    });
    await this.signatures.require(owner, {
      address,
      text,
      signature: signature as Hex,
      nonce: message.nonce,
    });
    return { project: code, ...(await this.record(code, address)) };
  }

  /** A page of the wallets of the owner's project, newest connection first. Throws `project.notFound`. */
  async list(
    ownerId: string,
    code: string,
    { limit, after }: ConnectedWalletsQuery,
  ): Promise<ConnectedWallets> {
    const [found]: { id: string; total: number }[] = await this.dataSource.query(
      `select id, (select count(*)::int from connected_wallets where project_id = projects.id) as total
       from projects where code = $1 and owner_id = $2 and service is not distinct from $3`,
      [code.includes('\0') ? '' : code, ownerId, this.environment.PROJECT_SERVICE_URL ?? null],
    );
    if (found === undefined) throw new PortalError('project.notFound');
    const [at, address] = after?.split('-') ?? [];
    const rows: ConnectedRow[] = await this.dataSource.query(
      `select address, first_connected_at, last_connected_at from connected_wallets
       where project_id = $1
         and ($2::bigint is null or last_connected_at < to_timestamp($2::bigint / 1000.0)
           or (last_connected_at = to_timestamp($2::bigint / 1000.0) and address > $3))
       order by last_connected_at desc, address limit $4`,
      [found.id, at ?? null, address ?? '', limit + 1],
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      wallets: page.map((row) => ({
        address: row.address,
        firstConnectedAt: row.first_connected_at.toISOString(),
        lastConnectedAt: row.last_connected_at.toISOString(),
      })),
      total: found.total,
      next: rows.length > limit && last ? `${last.last_connected_at.getTime()}-${last.address}` : null,
    };
  }

  private take(project: KeyProject): { code: string } {
    if (project === null) throw new PortalError('wallet.projectRequired');
    this.attempts.take(project.code);
    return project;
  }

  /** Times are cut to whole milliseconds, so that a cursor made from a time finds its row again. */
  private async record(
    code: string,
    address: Address,
  ): Promise<Omit<MeteredAnswer<'walletConnect'>, 'project'>> {
    const [row]: (ConnectedRow & { project_id: string; is_new: boolean })[] = await this.dataSource.query(
      `insert into connected_wallets as known (project_id, address, first_connected_at, last_connected_at)
       select id, $2, moment, moment
       from projects, date_trunc('milliseconds', clock_timestamp()) as moment
       where code = $1 and service is not distinct from $3
       on conflict (project_id, address) do update
         set last_connected_at = greatest(excluded.last_connected_at, known.last_connected_at)
       returning *, xmax = 0 as is_new`,
      [code, address, this.environment.PROJECT_SERVICE_URL ?? null],
    );
    // The project was deleted since the key was looked up.
    if (row === undefined) throw new PortalError('key.deleted');
    if (row.is_new) {
      await this.dataSource.query(
        `delete from connected_wallets where project_id = $1 and address in (
           select address from connected_wallets where project_id = $1
           order by last_connected_at desc, address offset $2)`,
        [row.project_id, limits.connectedWalletsPerProject],
      );
    }
    return {
      address,
      first_connected_at: row.first_connected_at.toISOString(),
      last_connected_at: row.last_connected_at.toISOString(),
    };
  }
}
