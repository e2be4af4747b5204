import { Inject, Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { createPublicClient, http, PublicClient } from 'viem';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { WAITS } from '../config/waits.js';
import type { Waits } from '../config/waits.js';
import { PortalError } from '../http/portal.error.js';
import { within } from '../http/within.js';

/** One node of the chain. */
export class ChainNode {
  readonly node: PublicClient;

  constructor(
    url: string,
    private readonly waits: Pick<Waits, 'chainMs'>,
  ) {
    this.node = createPublicClient({
      transport: http(url, {
        // viem would read `timeout` only once, but a test may shorten the limit later. The signal also covers the
        // response body.
        timeout: 0,
        fetchFn: (address, init) => fetch(address, { ...init, signal: AbortSignal.timeout(waits.chainMs) }),
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

  constructor(@Inject(ENVIRONMENT) environment: Environment, @Inject(WAITS) waits: Waits) {
    super(environment.ETH_RPC_URL, waits);
    const { ETH_RPC_URL_SECOND: second } = environment;
    this.second = second === undefined ? null : new ChainNode(second, waits);
  }
}
