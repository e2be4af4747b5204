import { Injectable } from '@nestjs/common';
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
} from 'viem';
import type { Address, CallParameters, Hex, PublicClient } from 'viem';
import { ChainClient } from './chain.client.js';

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
  constructor(private readonly chain: ChainClient) {}

  /**
   * Whether the account at an address takes a signature over a hash as its own: one on the chain by its own word
   * (ERC-1271), one that does not exist yet by what the factory named in the signature would deploy there (ERC-6492).
   * An address without either has signed nothing. Throws `chain.unavailable` when no node of Ethereum mainnet says.
   */
  hasSigned(address: Address, hash: Hex, signature: Hex): Promise<boolean> {
    return this.chain.ask(async (node) => {
      const [code] = await Promise.all([node.getCode({ address }), this.chain.requireMainnet()]);
      const isWrapped = isErc6492Signature(signature);
      if (code !== undefined) {
        // What the wrapping would have called first is left alone: the account as it stands decides.
        const inner = isWrapped ? unwrap(signature) : signature;
        if (inner === null) return false;
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
