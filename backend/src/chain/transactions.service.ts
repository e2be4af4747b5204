import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { transactionsCoverage } from '@orange-id/contract/metered.paths';
import type { MeteredAnswer } from '@orange-id/contract/metered.routes';
import { formatEther, getAddress, isAddressEqual, numberToHex } from 'viem/utils';
import type { Address, Hex, PublicClient } from 'viem';
import { WAITS } from '../config/waits.js';
import type { Waits } from '../config/waits.js';
import { AttemptLimiter, limitReached } from '../http/attempt.limiter.js';
import { ConcurrencyLimiter } from '../http/concurrency.limiter.js';
import { PortalError } from '../http/portal.error.js';
import { givenNote } from '../http/request.issues.js';
import { ChainClient } from './chain.client.js';

type Answer = MeteredAnswer<'walletTransactions'>;

/** A block as the node sends it: unlike viem's, without the cost of parsing the transactions of others. */
interface RawBlock {
  timestamp: Hex;
  transactions: { hash: Hex; from: Address; to: Address | null; value: Hex }[];
}

interface Question {
  address: Address;
  /** How many blocks to read at most. */
  blocks: number;
  /** The newest block to read, by default the latest one. */
  cursor: number | undefined;
}

const blocksAtOnce = 4;

/** Finds an address's transactions by reading blocks: a node has no index of them. */
@Injectable()
export class TransactionsService {
  private readonly scans = new AttemptLimiter(
    limits.transactionScansPerMinute,
    60_000,
    limitReached(
      `The limit of a key’s owner is ${limits.transactionScansPerMinute} transaction searches a minute`,
    ),
  );
  private readonly ofOwner = new ConcurrencyLimiter(
    limits.transactionScansPerOwner,
    'request.rateLimited',
    limitReached(
      `The limit of a key’s owner is ${limits.transactionScansPerOwner} transaction searches at once`,
    )(1),
  );
  private readonly all = new ConcurrencyLimiter(limits.transactionScans, 'server.busy');

  constructor(
    private readonly chain: ChainClient,
    @Inject(WAITS) private readonly waits: Waits,
  ) {}

  /**
   * The transactions from or to an address in a range of blocks, newest first. Stops early, after a whole block, once
   * there are `limits.transactionsPerAnswer`. Throws `request.invalid` for a cursor beyond the latest block,
   * `request.rateLimited` after `limits.transactionScansPerMinute` scans of an owner or while
   * `limits.transactionScansPerOwner` of them run, `server.busy` while `limits.transactionScans` run on this
   * instance, and `chain.unavailable`.
   */
  async list(userId: string, question: Question): Promise<Answer> {
    this.scans.take(userId);
    const endsAt = performance.now() + this.waits.chainMs;
    // Limited inside `ask`, because a scan runs until its last request has ended, even if `ask` has already timed out.
    return this.chain.ask((node) =>
      this.ofOwner.run(userId, () => this.all.run('all', () => this.scan(node, question, endsAt))),
    );
  }

  private async scan(
    node: PublicClient,
    { address, blocks, cursor }: Question,
    endsAt: number,
  ): Promise<Answer> {
    const [head] = await Promise.all([
      node.request({ method: 'eth_blockNumber' }),
      this.chain.requireMainnet(),
    ]);
    const latest = Number(BigInt(head));
    const newest = cursor ?? latest;
    if (newest > latest) throw cursorTooHigh(newest, latest);
    const oldest = Math.max(0, newest - blocks + 1);
    const transactions: Answer['transactions'] = [];
    let scannedTo = newest + 1;
    while (scannedTo > oldest && transactions.length < limits.transactionsPerAnswer) {
      if (performance.now() > endsAt) throw new Error('The blocks could not be read in time');
      const numbers = Array.from(
        { length: Math.min(blocksAtOnce, scannedTo - oldest) },
        (_, place) => scannedTo - 1 - place,
      );
      const read = await Promise.all(numbers.map((number) => blockOf(node, number)));
      for (const [place, block] of read.entries()) {
        if (transactions.length >= limits.transactionsPerAnswer) break;
        transactions.push(...transactionsOf(block, numbers[place] as number, address));
        scannedTo--;
      }
    }
    return {
      address,
      transactions,
      scanned: { from_block: scannedTo, to_block: newest },
      latest_block: latest,
      next: scannedTo > 0 ? scannedTo - 1 : null,
      coverage: transactionsCoverage,
    };
  }
}

async function blockOf(node: PublicClient, number: number): Promise<RawBlock> {
  const block = (await node.request({
    method: 'eth_getBlockByNumber',
    params: [numberToHex(number), true],
  })) as RawBlock | null;
  if (block === null) throw new Error(`The node doesn’t have block ${number}`);
  return block;
}

/** Newest first, like the blocks. */
function transactionsOf(block: RawBlock, number: number, address: Address): Answer['transactions'] {
  const wanted = address.toLowerCase();
  return block.transactions
    .filter(({ from, to }) => from.toLowerCase() === wanted || to?.toLowerCase() === wanted)
    .reverse()
    .map(({ hash, from, to, value }) => ({
      hash,
      block_number: number,
      timestamp: new Date(Number(BigInt(block.timestamp)) * 1000).toISOString(),
      from: getAddress(from),
      to: to === null ? null : getAddress(to),
      value: formatEther(BigInt(value)),
      currency: 'ETH',
      direction:
        to !== null && isAddressEqual(from, to) ? 'self' : isAddressEqual(from, address) ? 'out' : 'in',
    }));
}

function cursorTooHigh(cursor: number, latest: number): PortalError {
  const problem = `must be at most ${latest}, the latest block`;
  return new PortalError('request.invalid', {
    message: `cursor: ${problem}${givenNote(cursor)}`,
    details: [{ path: 'cursor', message: problem, given: String(cursor) }],
  });
}
