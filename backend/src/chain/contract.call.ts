import { BaseError, ExecutionRevertedError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import type { CallParameters, Hex, PublicClient } from 'viem';

/** A result, or undefined if the contract has no such result; failures of the node are thrown. */
export async function unlessBroken<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isContractFailure(error)) return undefined;
    throw error;
  }
}

/**
 * The return value of a contract, or undefined if it fails; failures of the node are thrown. `gas` limits the work, and
 * the size of the return value, that a contract can cause.
 */
export const answerOf = async (
  node: PublicClient,
  call: CallParameters & { gas: bigint },
): Promise<Hex | undefined> => (await unlessBroken(node.call(call)))?.data;

/** Failures of contract code that nodes report as errors of the call; any other error is a failure of the node. */
const ends =
  /revert|out ?of ?gas|OOG|invalid ?(fe)?opcode|invalid ?jump|opcode ?not ?found|stack ?(under|over)flow|VM execution error/i;

/**
 * Whether a call failed because of its contract: the code failed, or returned something other than its interface says.
 */
function isContractFailure(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.walk((cause) => cause instanceof ExecutionRevertedError)) return true;
  const answer = error.walk((cause) => cause instanceof RpcRequestError);
  if (answer instanceof RpcRequestError) return ends.test(answer.details);
  // No request failed, so the response was read but could not be decoded.
  return !error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError);
}
