import type { SiweMessage } from '@orange-id/contract/identity.schema';
import { siweStatement } from '@orange-id/contract/siwe.statement';
import { limits } from '@orange-id/contract/limits';
import { SiweInvalidMessageFieldError, createSiweMessage } from 'viem/siwe';
import { getAddress, isAddress } from 'viem/utils';
import type { Address } from 'viem';
import { PortalError } from '../../http/portal.error.js';
import { givenNote } from '../../http/request.issues.js';

/**
 * The required content of a message. `portals` are the origins users may sign in from, this portal's own first;
 * `statement` is what the message is for, by default a sign-in.
 */
export interface SiweExpectation {
  portals: readonly string[];
  statement?: string;
  nowMs: number;
}

/**
 * Checks every field of a message (EIP-4361) but its nonce and rebuilds the only text that may have been
 * signed. The client's own text is never used: a signature over any other text yields another address. Throws
 * `auth.messageInvalid` with the field, the expected and the actual value.
 */
export function canonicalSiwe(
  message: SiweMessage,
  { portals, statement = siweStatement, nowMs }: SiweExpectation,
): { text: string; address: Address } {
  // `domain` and `uri` must name the same portal; a message that names none of them is compared with this one.
  const portal = new URL(portals.find((address) => new URL(address).host === message.domain) ?? portals[0]!);
  expect('domain', portal.host, message.domain);
  expect('uri', portal.origin, message.uri);
  expect('version', '1', message.version);
  expect('chainId', limits.chainId, message.chainId);
  expect('statement', statement, message.statement);
  const address = message.address;
  if (!isAddress(address, { strict: false }) || getAddress(address) !== address) {
    throw refuse(`address must be a wallet address with its EIP-55 checksum${givenNote(address)}`);
  }
  const issuedAt = new Date(message.issuedAt);
  if (Number.isNaN(issuedAt.getTime()) || issuedAt.toISOString() !== message.issuedAt) {
    throw refuse(
      `issuedAt must be a time like ${new Date(nowMs).toISOString()}${givenNote(message.issuedAt)}`,
    );
  }
  if (Math.abs(nowMs - issuedAt.getTime()) > limits.siweIssuedAtToleranceMs) {
    throw refuse(
      `issuedAt must be within 5 minutes of ${new Date(nowMs).toISOString()}${givenNote(message.issuedAt)}; check the device’s clock`,
    );
  }
  const { domain, uri, nonce } = message;
  try {
    const text = createSiweMessage({
      domain,
      address,
      statement,
      uri,
      version: '1',
      chainId: limits.chainId,
      nonce,
      issuedAt,
    });
    return { text, address };
  } catch (cause) {
    if (cause instanceof SiweInvalidMessageFieldError) throw refuse(cause.shortMessage, cause);
    throw cause;
  }
}

function expect(field: string, wanted: unknown, seen: unknown): void {
  if (seen !== wanted) {
    throw refuse(`${field} must be ${JSON.stringify(wanted)}${givenNote(seen)}`);
  }
}

const refuse = (problem: string, cause?: unknown): PortalError =>
  new PortalError('auth.messageInvalid', {
    message: `The signed message isn’t one this portal accepts: ${problem}`,
    cause,
  });
