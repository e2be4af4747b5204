import { apiKeyEnds } from '@orange-id/contract/api-key.rule';

/**
 * The key with all but its ends masked. It keeps its length, so that revealing shifts nothing; short keys are fully
 * masked.
 */
export function maskKey(key: string): string {
  const { prefix, last4 } = apiKeyEnds(key);
  return maskBetween({ prefix, last4 }, key.length - prefix.length - last4.length);
}

/** Masks a key of which only the ends are known, in a shorter form: `oid_4fGh••••f7g8`. */
export const maskBetween = ({ prefix, last4 }: ReturnType<typeof apiKeyEnds>, dots = 4): string =>
  prefix + '•'.repeat(dots) + last4;
