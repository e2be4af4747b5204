import { Inject, Injectable, Logger } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import {
  BaseError,
  decodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  isErc6492Signature,
  parseAbi,
  parseAbiParameters,
  size,
} from 'viem';
import type { Address, Hex } from 'viem';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { PortalError } from '../http/portal.error.js';
import { ChainClient, ChainNode } from './chain.client.js';
import { answerOf } from './contract.call.js';

const accountAbi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);
/**
 * Enough to deploy an account and verify a passkey in Solidity; limits the work that an attacker can cause on the node.
 */
const gas = 10_000_000n;
/**
 * The success value of `isValidSignature`, ABI-encoded. Unlike its first 4 bytes, it differs from an echo of the call.
 */
const yes = '0x1626ba7e'.padEnd(66, '0');

/** Verifies signatures of smart accounts, which only the chain can check. */
@Injectable()
export class SmartAccounts {
  private readonly logger = new Logger('Chain');
  private doNodesAgree = true;

  constructor(
    private readonly chain: ChainClient,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'verifiesSmartAccounts'>,
  ) {}

  /**
   * Whether the account at an address accepts a signature over a hash: a deployed account decides by its own code
   * (ERC-1271); for an account that is not deployed yet, the node simulates the deployment that the signature describes
   * (ERC-6492). False if neither applies. A second node, if configured, must agree. Throws
   * `auth.smartAccountsUnavailable` if this portal does not verify smart accounts, and `chain.unavailable` if a node
   * gives no result or is not on Ethereum mainnet.
   */
  async hasSigned(address: Address, hash: Hex, signature: Hex): Promise<boolean> {
    const isWrapped = isErc6492Signature(signature);
    const inner = isWrapped ? unwrap(signature) : signature;
    // No valid signature is shorter: the call would be wasted, and a node that accepts a shorter one is not
    // trustworthy.
    if (inner === null || size(inner) < limits.walletSignatureMinBytes) return false;
    if (!this.environment.verifiesSmartAccounts) throw new PortalError('auth.smartAccountsUnavailable');
    const question: Question = { address, hash, signature, inner, isWrapped };
    const { chain } = this;
    const [first, second] = await Promise.all([
      ask(chain, question),
      chain.second === null ? null : ask(chain.second, question),
    ]);
    if (second === null) return first;
    this.noteAgreement(first, second);
    return first && second;
  }

  /** Logs one line when the nodes begin to disagree: otherwise an attacker could fill the log. */
  private noteAgreement(first: boolean, second: boolean): void {
    if (first !== second && this.doNodesAgree) {
      const name = first ? 'ETH_RPC_URL' : 'ETH_RPC_URL_SECOND';
      this.logger.warn(
        `A smart account's signature was refused: only the node of ${name} accepted it. Further ones are not logged until both nodes accept one`,
      );
    }
    if (first !== second) this.doNodesAgree = false;
    else if (first) this.doNodesAgree = true;
  }
}

interface Question {
  address: Address;
  hash: Hex;
  signature: Hex;
  /** The signature without its ERC-6492 wrapping. */
  inner: Hex;
  isWrapped: boolean;
}

function ask(chain: ChainNode, { address, hash, signature, inner, isWrapped }: Question): Promise<boolean> {
  return chain.ask(async (node) => {
    const [code] = await Promise.all([node.getCode({ address }), chain.requireMainnet()]);
    if (code !== undefined) {
      // The call in the wrapping is ignored: the deployed account decides.
      const data = encodeFunctionData({
        abi: accountAbi,
        functionName: 'isValidSignature',
        args: [hash, inner],
      });
      return (await answerOf(node, { to: address, data, gas }))?.slice(0, yes.length) === yes;
    }
    if (!isWrapped) return false;
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [address, hash, signature],
    });
    return (await answerOf(node, { data, gas })) === '0x01';
  });
}

/** The signature inside an ERC-6492 wrapping, or null if it is malformed. */
function unwrap(wrapped: Hex): Hex | null {
  try {
    return decodeAbiParameters(parseAbiParameters('address, bytes, bytes'), wrapped)[2];
  } catch (error) {
    if (error instanceof BaseError) return null;
    throw error;
  }
}
