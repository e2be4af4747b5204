import { Inject, Injectable } from '@nestjs/common';
import type { MeteredAnswer } from '@orange-id/contract/metered.routes';
import { Address, formatEther, parseAbi } from 'viem';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { ChainClient, within } from './chain.client.js';

/** One response of the price feed: `value / 10 ** decimals` US dollars for one ether. */
interface Price {
  value: bigint;
  decimals: number;
}

type Quote = { price: Price } | { reason: string };

/** The balance must not wait for the price, which is optional. */
const priceDeadlineMs = 3_000;
const priceFreshMs = 60_000;
/** The feed promises an update at least every hour; after twice that it counts as stopped. */
const priceStaleSeconds = 2 * 3600;

const feedAbi = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function decimals() view returns (uint8)',
]);

/** Reads the chain through `ETH_RPC_URL`; every call returns within 5 s or throws `chain.unavailable`. */
@Injectable()
export class ChainService {
  private readonly feed: Address;
  private cached: { price: Price; until: number } | null = null;
  private asking: Promise<Quote> | null = null;

  constructor(
    private readonly chain: ChainClient,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    this.feed = environment.ETH_PRICE_FEED as Address;
  }

  /**
   * The balance of a checksummed address in ether, with its value in US dollars to the cent if the on-chain price feed
   * is fresh. Throws `chain.unavailable`.
   */
  async walletBalance(address: Address): Promise<MeteredAnswer<'walletBalance'>> {
    const quote = within(priceDeadlineMs, this.quote()).catch((): Quote => ({
      reason: 'The price feed couldn’t be read',
    }));
    const wei = await this.chain.ask((node) => node.getBalance({ address }));
    const answer = await quote;
    return {
      address,
      balance: formatEther(wei),
      currency: 'ETH',
      ...('price' in answer
        ? { usd_value: dollars(wei, answer.price) }
        : { usd_value: null, usd_reason: answer.reason }),
    };
  }

  /** Results are cached for a minute, failures not at all; concurrent callers share one request. */
  private quote(): Promise<Quote> {
    if (this.cached !== null && this.cached.until > Date.now()) {
      return Promise.resolve({ price: this.cached.price });
    }
    this.asking ??= this.askFeed().finally(() => (this.asking = null));
    return this.asking;
  }

  private async askFeed(): Promise<Quote> {
    const call = { address: this.feed, abi: feedAbi } as const;
    const code = await this.chain.node.getCode({ address: this.feed });
    if (code === undefined) {
      return {
        reason:
          'The portal’s price feed isn’t a contract on this chain. Its operator has to set ETH_PRICE_FEED to one',
      };
    }
    const [[, value, , updatedAt], decimals] = await Promise.all([
      this.chain.node.readContract({ ...call, functionName: 'latestRoundData' }),
      this.chain.node.readContract({ ...call, functionName: 'decimals' }),
    ]);
    const age = Math.floor(Date.now() / 1000) - Number(updatedAt);
    if (age > priceStaleSeconds) return { reason: `The latest price is ${age} s old, too old to use` };
    if (value <= 0n) return { reason: 'The price feed returned no price' };
    const price = { value, decimals };
    this.cached = { price, until: Date.now() + priceFreshMs };
    return { price };
  }
}

/** Rounded to the cent. */
function dollars(wei: bigint, { value, decimals }: Price): number {
  const unit = 10n ** BigInt(18 + decimals - 2);
  return Number((wei * value + unit / 2n) / unit) / 100;
}
