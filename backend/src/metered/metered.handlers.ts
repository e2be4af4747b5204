import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { MeteredRouteId } from '@orange-id/contract/metered.paths';
import type { MeteredAnswer, MeteredInput } from '@orange-id/contract/metered.routes';
import type { FastifyReply } from 'fastify';
import type { Address } from 'viem';
import { AccessTokenVerifier } from '../auth/access-token.verifier.js';
import { bearerTokenIn } from '../auth/bearer.strategy.js';
import { RequestsPerUser } from '../auth/requests.per.user.js';
import { parseAddress } from '../chain/address.rule.js';
import { ChainClient } from '../chain/chain.client.js';
import { ChainService } from '../chain/chain.service.js';
import { TransactionsService } from '../chain/transactions.service.js';
import { GamesService, type Player } from '../games/games.service.js';
import { addressKey } from '../http/address.key.js';
import { PortalError } from '../http/portal.error.js';
import { LinkedWalletsService } from '../identity/wallet/linked-wallets.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { ConnectedWalletsService } from '../wallets/connected-wallets.service.js';
import type { KnownKey } from './key.directory.js';

type Input<Id extends MeteredRouteId> = MeteredInput<Id>;
type Answer<Id extends MeteredRouteId> = MeteredAnswer<Id>;

/** The reply to a call, for calls that also take the access token of a player: whose address, and until when. */
export type Sender = Pick<FastifyReply, 'raw' | 'request'>;

type Handlers = {
  [Id in MeteredRouteId]: (
    key: KnownKey,
    input: Input<Id>,
    sender: Sender,
  ) => Answer<Id> | Promise<Answer<Id>>;
};

/**
 * What each metered route does with a valid key and its checked input; one method per route of the table. Those that
 * may ask the Ethereum node wait for it within the limits of the key's owner.
 */
@Injectable()
export class MeteredHandlers implements Handlers {
  constructor(
    private readonly wallets: LinkedWalletsService,
    private readonly node: ChainClient,
    private readonly chain: ChainService,
    private readonly transactions: TransactionsService,
    private readonly connected: ConnectedWalletsService,
    private readonly tokenService: TokensService,
    private readonly games: GamesService,
    private readonly verifier: AccessTokenVerifier,
    private readonly requests: RequestsPerUser,
  ) {}

  key({ name, prefix, project }: KnownKey): Answer<'key'> {
    return { project: project && { code: project.code, name: project.name }, name, prefix };
  }

  walletBalance(key: KnownKey, { parameters }: Input<'walletBalance'>): Promise<Answer<'walletBalance'>> {
    return this.node.limiter.run(key.userId, async () =>
      this.chain.walletBalance(key.userId, parameters.address ?? (await this.ownAddress(key))),
    );
  }

  walletTransactions(
    key: KnownKey,
    { parameters: { address, blocks = limits.transactionBlocks, cursor } }: Input<'walletTransactions'>,
  ): Promise<Answer<'walletTransactions'>> {
    return this.node.limiter.run(key.userId, async () => {
      const of = address ?? (await this.ownAddress(key));
      return this.transactions.list(key.userId, { address: of, blocks, cursor });
    });
  }

  walletMessage(
    { project }: KnownKey,
    { parameters }: Input<'walletMessage'>,
  ): Promise<Answer<'walletMessage'>> {
    return this.connected.message(project, parameters.address);
  }

  walletConnect(
    { userId, project }: KnownKey,
    { body }: Input<'walletConnect'>,
  ): Promise<Answer<'walletConnect'>> {
    return this.connected.connect(userId, project, body);
  }

  tokens(key: KnownKey): Promise<Answer<'tokens'>> {
    return this.tokenService.list(key);
  }

  addToken(key: KnownKey, { body }: Input<'addToken'>): Promise<Answer<'addToken'>> {
    return this.node.limiter.run(key.userId, async () =>
      this.tokenService.add(key, parseAddress(body.address)),
    );
  }

  token(key: KnownKey, { parameters }: Input<'token'>): Promise<Answer<'token'>> {
    return this.node.limiter.run(key.userId, () => this.tokenService.find(key, parameters.id));
  }

  async gameData(
    key: KnownKey,
    { parameters }: Input<'gameData'>,
    sender: Sender,
  ): Promise<Answer<'gameData'>> {
    return this.games.data(await this.playerOf(key, parameters.Authorization, sender), parameters.game);
  }

  async saveGameData(
    key: KnownKey,
    { parameters, body }: Input<'saveGameData'>,
    sender: Sender,
  ): Promise<Answer<'saveGameData'>> {
    return this.games.save(await this.playerOf(key, parameters.Authorization, sender), parameters.game, body);
  }

  async addScore(
    key: KnownKey,
    { parameters, body }: Input<'addScore'>,
    sender: Sender,
  ): Promise<Answer<'addScore'>> {
    const player = await this.playerOf(key, parameters.Authorization, sender);
    return this.games.addScore(player, parameters.game, body.score);
  }

  async leaderboard(
    { userId, project }: KnownKey,
    { parameters: { game, period = 'all', limit = limits.leaderboard, after } }: Input<'leaderboard'>,
    { raw, request }: Sender,
  ): Promise<Answer<'leaderboard'>> {
    if (project === null) throw new PortalError('game.projectRequired');
    const wanted = { projectCode: project.code, code: game, period, limit };
    if (after === undefined) return this.games.liveLeaderboard(wanted);
    const beganAt = performance.now();
    const board = await this.games.leaderboardAfter(after, wanted, {
      ownerId: userId,
      address: addressKey(request.ip),
      response: raw,
    });
    // The recorded time is the portal's work, without the wait that was asked for.
    const waitedMs = performance.now() - beganAt;
    request.startedAt += waitedMs;
    if (request.metered) request.metered.startedAt += waitedMs;
    return board;
  }

  /** The player of a call. Throws `game.projectRequired`, `auth.tokenInvalid` and `game.playerRequired`. */
  private async playerOf(
    { userId, project }: KnownKey,
    authorization: string,
    { raw, request }: Sender,
  ): Promise<Player> {
    if (project === null) throw new PortalError('game.projectRequired');
    const token = bearerTokenIn(authorization);
    if (token === undefined) throw new PortalError('game.playerRequired');
    const { app } = await this.verifier.verifyOfAnyTenant(token, Date.now(), request.ip, (playerId) =>
      this.requests.enter(playerId, raw),
    );
    if (app?.code !== project.code) throw new PortalError('game.playerRequired');
    return { connectionId: app.connectionId, ownerId: userId, projectCode: project.code };
  }

  /**
   * The wallet that a call without an address is about; only for saved keys. Everyone who opens a project's site can
   * read that project's key, so such a key must reveal nothing about its owner.
   */
  private async ownAddress({ userId, project }: KnownKey): Promise<Address> {
    if (project !== null) throw new PortalError('wallet.addressRequired');
    const address = await this.wallets.addressOf(userId);
    if (address === null) throw new PortalError('wallet.addressMissing');
    return parseAddress(address);
  }
}
