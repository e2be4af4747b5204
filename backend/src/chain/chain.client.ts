import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { bulkhead } from 'cockatiel';
import { createPublicClient, http, PublicClient } from 'viem';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { WAITS } from '../config/waits.js';
import type { Waits } from '../config/waits.js';
import { OutgoingLimiter } from '../http/outgoing.limiter.js';
import { PortalError } from '../http/portal.error.js';
import { askService } from '../http/service.client.js';
import { within } from '../http/within.js';

/** Requests in transit to one node, so also its connections, which are kept alive. One owner never fills them. */
const connectionsMax = 64;
/** More than all calls that may wait for the node send at once. */
const requestsWaitingMax = 2_000;
/** Larger than any block with its transactions. */
const answerMaxBytes = 16 * 1_048_576;

/** One node of the chain. */
export class ChainNode {
  readonly node: PublicClient;
  private readonly wire = bulkhead(connectionsMax, requestsWaitingMax);

  constructor(
    url: string,
    private readonly waits: Pick<Waits, 'chainMs'>,
  ) {
    this.node = createPublicClient({
      transport: http(url, {
        // viem would read `timeout` only once, but a test may shorten the limit later.
        timeout: 0,
        fetchFn: (_address, init) => this.send(url, String(init?.body)),
        retryCount: 0,
      }),
      // Otherwise a contract could make this server request any address (ERC-3668).
      ccipRead: false,
    });
  }

  /** The node's response to a request; throws `chain.unavailable` if it fails or takes longer than `waits.chainMs`. */
  async ask<T>(question: (node: PublicClient) => Promise<T>): Promise<T> {
    try {
      return await within(this.waits.chainMs, question(this.node));
    } catch (cause) {
      throw cause instanceof PortalError ? cause : new PortalError('chain.unavailable', { cause });
    }
  }

  private send(url: string, body: string): Promise<Response> {
    const signal = AbortSignal.timeout(this.waits.chainMs);
    // The signal stays inside: cockatiel does not pass on the slot of a call whose signal is aborted.
    return this.wire.execute(async () => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await askService(
        url,
        { method: 'POST', headers, body },
        { signal, maxBytes: answerMaxBytes },
      );
      return new Response(new Uint8Array(answer.bytes), { status: answer.status, headers });
    });
  }

  /** Throws `chain.unavailable` if the node serves a chain other than Ethereum mainnet. */
  async requireMainnet(): Promise<void> {
    const chainId = await this.node.getChainId();
    if (chainId === limits.chainId) return;
    throw new PortalError('chain.unavailable', {
      message: `The portal’s Ethereum node is on chain ${chainId}, not on chain ${limits.chainId}. Its operator has to set ETH_RPC_URL to an Ethereum mainnet node`,
    });
  }
}

/**
 * The only connection to the chain: the node at `ETH_RPC_URL` and, for smart accounts' signatures, the one at
 * `ETH_RPC_URL_SECOND`, which must agree with it.
 */
@Injectable()
export class ChainClient extends ChainNode {
  readonly second: ChainNode | null;
  /** Every route that may ask a node does so within these. */
  readonly limiter = new OutgoingLimiter('the Ethereum node', {
    atOncePerOwner: limits.nodeCallsAtOncePerOwner,
    atOnce: limits.nodeCallsAtOnce,
    perSecondPerOwner: limits.nodeCallsPerSecondPerOwner,
  });

  constructor(@Inject(ENVIRONMENT) environment: Environment, @Inject(WAITS) waits: Waits) {
    super(environment.ETH_RPC_URL, waits);
    const { ETH_RPC_URL_SECOND: second } = environment;
    this.second = second === undefined ? null : new ChainNode(second, waits);
  }
}
