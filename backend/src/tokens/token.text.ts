import { hasInvisibleCharacters, tidyLine } from '@orange-id/contract/text.rule';
import { BaseError } from 'viem';
import type { Hex } from 'viem';
import { decodeAbiParameters, hexToBytes, size } from 'viem/utils';

/** Far above the longest name in use, and little work to decode. */
const dataMaxBytes = 8_192;

/**
 * A name or symbol that a contract returned, or null if it returned none: a string, or 32 bytes padded with zeros, as
 * tokens from before ERC-20 was final have it. Bytes that are not UTF-8 become U+FFFD.
 */
export function decodeTokenText(data: Hex): string | null {
  const bytes = size(data);
  if (bytes === 0 || bytes > dataMaxBytes) return null;
  if (bytes === 32) {
    const word = hexToBytes(data);
    const end = word.indexOf(0);
    return new TextDecoder().decode(end < 0 ? word : word.subarray(0, end));
  }
  try {
    return decodeAbiParameters([{ type: 'string' }], data)[0];
  } catch (error) {
    if (error instanceof BaseError) return null;
    throw error;
  }
}

/**
 * The text as the portal stores it, on one line of at most `max` characters, without invisible characters and those
 * that change the text direction; null if nothing is left. It is cleaned instead of refused, because nobody can correct
 * a contract.
 */
export function tokenText(text: string, max: number): string | null {
  // NFKC: a symbol in full-width letters looks like the one it imitates.
  const line = tidyLine(text.normalize('NFKC'));
  // Joiners within a valid text stay: they are a part of its letters.
  const visible = hasInvisibleCharacters(line)
    ? [...line].filter((character) => !hasInvisibleCharacters(character)).join('')
    : line;
  const clean = tidyLine(visible);
  if (clean === '') return null;
  const characters = [...clean];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : clean;
}
