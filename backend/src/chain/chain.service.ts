import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import type { MeteredAnswer } from '@orange-id/contract/metered.routes';
import { Address, formatEther } from 'viem';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { ChainClient } from './chain.client.js';
import { SharedAnswers } from '../http/shared.answers.js';
import { within } from '../http/within.js';
import { type Price, PriceFeeds, type Quote } from './price.feeds.js';

/** The balance must not wait for the price, which is optional. */
const priceDeadlineMs = 3_000;
/** The feed promises an update at least every hour; after twice that it counts as stopped. */
const priceStaleSeconds = 2 * 3600;

/** Reads balances through `ETH_RPC_URL`; every call returns within 5 s or throws `chain.unavailable`. */
@Injectable()
export class ChainService {
  private readonly feed: Address;
  private readonly balances = new SharedAnswers<bigint>(limits.nodeAnswerSharedMs);

  constructor(
    private readonly chain: ChainClient,
    private readonly feeds: PriceFeeds,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    this.feed = environment.ETH_PRICE_FEED as Address;
  }

  /**
   * The balance of a checksummed address in ether, with its value in US dollars to the cent if the on-chain price feed
   * is fresh. `owner` pays for a question to the node. Throws `chain.unavailable` and `service.tooManyCalls`.
   */
  async walletBalance(owner: string, address: Address): Promise<MeteredAnswer<'walletBalance'>> {
    const balance = this.balances.get(address, async () => {
      this.chain.limiter.spend(owner);
      return this.chain.ask((node) => node.getBalance({ address }));
    });
    const quote = within(priceDeadlineMs, this.quote()).catch((): Quote => ({
      reason: 'The price feed couldn’t be read',
    }));
    const wei = await balance;
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

  private async quote(): Promise<Quote> {
    const quote = await this.feeds.quote({ address: this.feed, staleSeconds: priceStaleSeconds });
    if (!('isMissing' in quote)) return quote;
    return {
      reason:
        'The portal’s price feed isn’t a contract on this chain. Its operator has to set ETH_PRICE_FEED to one',
    };
  }
}

/** Rounded to the cent. */
function dollars(wei: bigint, { value, decimals }: Price): number {
  const unit = 10n ** BigInt(18 + decimals - 2);
  return Number((wei * value + unit / 2n) / unit) / 100;
}
