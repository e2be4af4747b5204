import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { MeteredAnswer } from '@orange-id/contract/metered.routes';
import { formatUnits } from 'viem/utils';
import type { Address } from 'viem';
import { ChainClient } from '../chain/chain.client.js';
import { PriceFeeds } from '../chain/price.feeds.js';
import { AttemptLimiter, limitReached } from '../http/attempt.limiter.js';
import { PortalError } from '../http/portal.error.js';
import { AddedTokens, type TokenOwner } from './added.tokens.js';
import { type ListedToken, tokenList, tokenListSource } from './token.list.js';
import { TokenReader } from './token.reader.js';

/** Chainlink's feeds promise an update at least every hour or every day. This allows an hour more than a day. */
const priceStaleSeconds = 25 * 3600;

const listed = new Map<string, ListedToken>(tokenList.map((token) => [token.address, token]));

/** The tokens that a key sees: the portal's list, and those added with the same project's key or the same account's. */
@Injectable()
export class TokensService {
  private readonly adding = new AttemptLimiter(
    limits.tokensAddedPerMinute,
    60_000,
    limitReached(`The limit of a key’s owner is ${limits.tokensAddedPerMinute} added tokens a minute`),
  );
  private readonly listing = new AttemptLimiter(
    limits.tokenListsPerSecond,
    1_000,
    limitReached(`The limit of a key’s owner is ${limits.tokenListsPerSecond} token lists a second`),
  );

  constructor(
    private readonly added: AddedTokens,
    private readonly reader: TokenReader,
    private readonly chain: ChainClient,
    private readonly feeds: PriceFeeds,
  ) {}

  /** All tokens that a key sees. Throws `request.rateLimited` after `limits.tokenListsPerSecond` of an owner. */
  async list(owner: TokenOwner): Promise<MeteredAnswer<'tokens'>> {
    this.listing.take(owner.userId);
    const added = await this.added.list(owner);
    return {
      tokens: [
        ...tokenList.map(({ address, name, symbol, decimals, feed }) => ({
          address,
          name,
          symbol,
          decimals,
          source: 'list' as const,
          price_pair: feed?.pair ?? null,
        })),
        // The list has more data about a token than its contract, and may have gained the token since it was added.
        ...added
          .filter(({ address }) => !listed.has(address))
          .map((token) => ({ ...token, source: 'added' as const, price_pair: null })),
      ],
      list: tokenListSource,
    };
  }

  /**
   * Reads a token from its contract and adds it; a token of the portal's list is returned as listed. Throws
   * `token.invalid`, `chain.unavailable`, and `request.rateLimited` after `limits.tokensAddedPerMinute` of an owner.
   */
  async add(owner: TokenOwner, address: Address): Promise<MeteredAnswer<'addToken'>> {
    this.adding.take(owner.userId);
    const { totalSupply, ...read } = await this.reader.read(owner.userId, address);
    const known = listed.get(address);
    const { name, symbol, decimals } = known ?? read;
    const token = { address, name, symbol, decimals };
    if (known === undefined) await this.added.add(owner, token);
    return {
      ...token,
      source: known === undefined ? 'added' : 'list',
      price_pair: known?.feed?.pair ?? null,
      total_supply: formatUnits(totalSupply, decimals),
    };
  }

  /**
   * A token with its total supply, and its price if the list names a feed. Throws `token.notFound`, `chain.unavailable`,
   * and `price.unavailable` if the feed gives no fresh price.
   */
  async find(owner: TokenOwner, address: Address): Promise<MeteredAnswer<'token'>> {
    const known = listed.get(address);
    const token = known ?? (await this.added.find(owner, address));
    if (token === null) throw new PortalError('token.notFound');
    const [supply, price] = await Promise.all([
      this.reader.totalSupply(owner.userId, address),
      known?.feed ? this.price(known.feed) : null,
    ]);
    return {
      address,
      name: token.name,
      symbol: token.symbol,
      decimals: token.decimals,
      source: known === undefined ? 'added' : 'list',
      price_pair: known?.feed?.pair ?? null,
      total_supply: supply === null ? null : formatUnits(supply, token.decimals),
      price,
    };
  }

  private async price({ pair, address }: NonNullable<ListedToken['feed']>) {
    const quote = await this.chain.ask(() =>
      this.feeds.quote({ address, pair, staleSeconds: priceStaleSeconds }),
    );
    if ('reason' in quote)
      throw new PortalError('price.unavailable', { message: `${quote.reason}. Try again later` });
    const { value, decimals, updatedAt } = quote.price;
    return {
      usd: Number(formatUnits(value, decimals)),
      pair,
      feed: address,
      updated_at: new Date(updatedAt * 1000).toISOString(),
    };
  }
}
