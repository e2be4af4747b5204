import { Inject, Injectable, Logger } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import {
  BaseError,
  decodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  ExecutionRevertedError,
  isErc6492Signature,
  parseAbi,
  parseAbiParameters,
  RpcRequestError,
  size,
} from 'viem';
import type { Address, CallParameters, Hex, PublicClient } from 'viem';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { PortalError } from '../http/portal.error.js';
import { ChainClient, ChainNode } from './chain.client.js';

const accountAbi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);
/** Enough for deploying an account and checking a passkey in Solidity; bounds what a stranger has the node compute. */
const gas = 10_000_000n;
/** `isValidSignature`'s yes as the ABI writes it. Unlike its first 4 bytes, an echo of the question is not it. */
const yes = '0x1626ba7e'.padEnd(66, '0');

/** Signatures of smart accounts, which only the chain can check. */
@Injectable()
export class SmartAccounts {
  private readonly logger = new Logger('Chain');
  private doNodesAgree = true;

  constructor(
    private readonly chain: ChainClient,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'verifiesSmartAccounts'>,
  ) {}

  /**
   * Whether the account at an address takes a signature over a hash as its own: one on the chain by its own word
   * (ERC-1271), one that does not exist yet by what the factory named in the signature would deploy there (ERC-6492).
   * An address without either has signed nothing. A second node, where one is configured, must say so too. Throws
   * `auth.smartAccountsUnavailable` where smart accounts are not verified, and `chain.unavailable` when a node of
   * Ethereum mainnet does not say.
   */
  async hasSigned(address: Address, hash: Hex, signature: Hex): Promise<boolean> {
    const isWrapped = isErc6492Signature(signature);
    const inner = isWrapped ? unwrap(signature) : signature;
    // Nothing that an account signs is shorter: a node that says it is valid is not to be believed, nor worth a call.
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

  /** Logs one line when the nodes begin to disagree: a stranger could otherwise have the log filled. */
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
  /** The signature without its wrapping by ERC-6492. */
  inner: Hex;
  isWrapped: boolean;
}

function ask(chain: ChainNode, { address, hash, signature, inner, isWrapped }: Question): Promise<boolean> {
  return chain.ask(async (node) => {
    const [code] = await Promise.all([node.getCode({ address }), chain.requireMainnet()]);
    if (code !== undefined) {
      // What the wrapping would have called first is left alone: the account as it stands decides.
      const data = encodeFunctionData({
        abi: accountAbi,
        functionName: 'isValidSignature',
        args: [hash, inner],
      });
      return (await answerOf(node, { to: address, data }))?.slice(0, yes.length) === yes;
    }
    if (!isWrapped) return false;
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [address, hash, signature],
    });
    return (await answerOf(node, { data })) === '0x01';
  });
}

/** The signature inside one wrapped by ERC-6492, or null when it is not well formed. */
function unwrap(wrapped: Hex): Hex | null {
  try {
    return decodeAbiParameters(parseAbiParameters('address, bytes, bytes'), wrapped)[2];
  } catch (error) {
    if (error instanceof BaseError) return null;
    throw error;
  }
}

/** What a contract answers, or undefined when it fails; failures of the node are thrown. */
async function answerOf(node: PublicClient, call: CallParameters): Promise<Hex | undefined> {
  try {
    return (await node.call({ ...call, gas })).data;
  } catch (error) {
    if (error instanceof BaseError && isOfContract(error)) return undefined;
    throw error;
  }
}

/** The ways code can end that nodes report as errors of the call; anything else is the node's own trouble. */
const ends =
  /revert|out ?of ?gas|invalid ?(fe)?opcode|invalid ?jump|opcode ?not ?found|stack ?(under|over)flow|VM execution error/i;

function isOfContract(error: BaseError): boolean {
  if (error.walk((cause) => cause instanceof ExecutionRevertedError)) return true;
  const answer = error.walk((cause) => cause instanceof RpcRequestError);
  return answer instanceof RpcRequestError && ends.test(answer.details);
}
