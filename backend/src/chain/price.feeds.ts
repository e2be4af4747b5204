import { Injectable } from '@nestjs/common';
import { parseAbi } from 'viem';
import type { Address } from 'viem';
import { SharedAnswers } from '../http/shared.answers.js';
import { ChainClient } from './chain.client.js';
import { unlessBroken } from './contract.call.js';

/** One response of a price feed: `value / 10 ** decimals` of the second currency for one unit of the first. */
export interface Price {
  value: bigint;
  decimals: number;
  /** In seconds since the epoch. */
  updatedAt: number;
}

/** A price, or the reason why there is none: a sentence without its full stop. */
export type Quote = { price: Price } | { reason: string; isMissing?: true };

export interface Feed {
  address: Address;
  /** A price older than this is not used: the feed counts as stopped. */
  staleSeconds: number;
  /** The pair that the feed must report, such as `ETH / USD`; left out, any feed is accepted. */
  pair?: string;
}

const freshMs = 60_000;

const feedAbi = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
]);

/** Reads on-chain price feeds with Chainlink's interface. */
@Injectable()
export class PriceFeeds {
  private readonly quotes = new SharedAnswers<Quote>(freshMs, (quote) => 'price' in quote);

  constructor(private readonly chain: ChainClient) {}

  /**
   * The latest price. Prices are cached for a minute, failures not at all; concurrent callers share one request.
   * Rejects if the node cannot be reached.
   */
  quote(feed: Feed): Promise<Quote> {
    return this.quotes.get(feed.address, () => this.ask(feed));
  }

  private async ask({ address, staleSeconds, pair }: Feed): Promise<Quote> {
    const { node } = this.chain;
    const code = await node.getCode({ address });
    if (code === undefined)
      return { reason: 'The price feed isn’t a contract on this chain', isMissing: true };
    const call = { address, abi: feedAbi } as const;
    const [round, decimals, description] = await Promise.all([
      unlessBroken(node.readContract({ ...call, functionName: 'latestRoundData' })),
      unlessBroken(node.readContract({ ...call, functionName: 'decimals' })),
      pair === undefined ? pair : unlessBroken(node.readContract({ ...call, functionName: 'description' })),
    ]);
    if (round === undefined || decimals === undefined) return { reason: 'The price feed couldn’t be read' };
    if (description !== pair) return { reason: `The price feed isn’t one of ${pair}` };
    const [, value, , updated] = round;
    const updatedAt = Number(updated);
    const age = Math.floor(Date.now() / 1000) - updatedAt;
    if (age > staleSeconds) return { reason: `The latest price is ${age} s old, too old to use` };
    if (value <= 0n) return { reason: 'The price feed returned no price' };
    return { price: { value, decimals, updatedAt } };
  }
}
