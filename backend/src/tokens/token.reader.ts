import { Injectable } from '@nestjs/common';
import { limits } from '@orange-id/contract/limits';
import { hexToBigInt, size, slice, toFunctionSelector } from 'viem/utils';
import type { Address, Hex, PublicClient } from 'viem';
import { ChainClient } from '../chain/chain.client.js';
import { SharedAnswers } from '../http/shared.answers.js';
import { answerOf } from '../chain/contract.call.js';
import { PortalError } from '../http/portal.error.js';
import { decodeTokenText, tokenText } from './token.text.js';

export interface TokenFacts {
  name: string;
  symbol: string;
  decimals: number;
  /** In the token's smallest unit. */
  totalSupply: bigint;
}

const functions = ['name()', 'symbol()', 'decimals()', 'totalSupply()'] as const;
type TokenFunction = (typeof functions)[number];

/** Some tokens compute their supply; limits what any other contract can make the node do. */
const gas = 1_000_000n;

/** Reads tokens (ERC-20) from their contracts on Ethereum mainnet. */
@Injectable()
export class TokenReader {
  private readonly facts = new SharedAnswers<TokenFacts>(limits.nodeAnswerSharedMs);
  private readonly supplies = new SharedAnswers<bigint | null>(limits.nodeAnswerSharedMs);

  constructor(private readonly chain: ChainClient) {}

  /**
   * The name, symbol, decimals and supply that the contract at an address reports. The four calls run at the same time,
   * each with its own gas, so that one hostile function does not affect the others. Throws `token.invalid`, naming what
   * is missing, `chain.unavailable`, and `service.tooManyCalls` if `owner` asks too often.
   */
  read(owner: string, address: Address): Promise<TokenFacts> {
    return this.facts.get(address, async () => {
      this.chain.limiter.spend(owner);
      return this.readFacts(address);
    });
  }

  /** The current total supply, or null if the contract no longer reports one. Throws like `read`. */
  totalSupply(owner: string, address: Address): Promise<bigint | null> {
    return this.supplies.get(address, async () => {
      this.chain.limiter.spend(owner);
      return this.readSupply(address);
    });
  }

  private readFacts(address: Address): Promise<TokenFacts> {
    return this.chain.ask(async (node) => {
      const [code] = await Promise.all([node.getCode({ address }), this.chain.requireMainnet()]);
      if (code === undefined) throw invalid(address, 'isn’t a contract on Ethereum mainnet');
      const [name, symbol, decimals, supply] = await Promise.all(
        functions.map((one) => resultOf(node, address, one)),
      );
      const facts = {
        'name()': textOf(name, limits.tokenNameMaxCharacters),
        'symbol()': textOf(symbol, limits.tokenSymbolMaxCharacters),
        'decimals()': numberOf(decimals, 255n),
        'totalSupply()': numberOf(supply),
      };
      const missing = functions.filter((one) => facts[one] === null);
      if (missing.length > 0) {
        throw invalid(
          address,
          `isn’t a token: its contract returns nothing usable for ${missing.join(', ')}`,
        );
      }
      return {
        name: facts['name()'] as string,
        symbol: facts['symbol()'] as string,
        decimals: Number(facts['decimals()']),
        totalSupply: facts['totalSupply()'] as bigint,
      };
    });
  }

  private readSupply(address: Address): Promise<bigint | null> {
    return this.chain.ask(async (node) => {
      const [supply] = await Promise.all([
        resultOf(node, address, 'totalSupply()'),
        this.chain.requireMainnet(),
      ]);
      return numberOf(supply);
    });
  }
}

const resultOf = (node: PublicClient, to: Address, one: TokenFunction): Promise<Hex | undefined> =>
  answerOf(node, { to, data: toFunctionSelector(one), gas });

const textOf = (data: Hex | undefined, max: number): string | null => {
  const text = data === undefined ? null : decodeTokenText(data);
  return text === null ? null : tokenText(text, max);
};

function numberOf(data: Hex | undefined, max?: bigint): bigint | null {
  if (data === undefined || size(data) < 32) return null;
  const value = hexToBigInt(slice(data, 0, 32));
  return max === undefined || value <= max ? value : null;
}

function invalid(address: Address, problem: string): PortalError {
  return new PortalError('token.invalid', {
    message: `${address} ${problem}. Send the address of an ERC-20 token’s contract`,
    details: [{ path: 'address', message: problem, given: address }],
  });
}
