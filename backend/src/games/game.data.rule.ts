import { givenNote } from '../http/request.issues.js';
import { limits } from '@orange-id/contract/limits';
import { PortalError } from '../http/portal.error.js';

/** What a game saves, as JSON. Throws `request.invalid` for null, for data that is too deep and for too much of it. */
export function gameDataText(data: unknown): string {
  if (data === undefined || data === null) throw invalid('must be a JSON value, and not null');
  // Before it is turned into text, which fails for a value as deep as a body can be.
  if (isDeeper(data, limits.gameDataLevels))
    throw invalid(`must be at most ${limits.gameDataLevels} levels deep`);
  const text = JSON.stringify(data);
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.gameDataBytes)
    throw invalid(`must have at most ${limits.gameDataBytes} bytes as JSON${givenNote(bytes)}`);
  return text;
}

/** Whether arrays and objects are nested more than `most` times. */
function isDeeper(data: unknown, most: number): boolean {
  let level = [data].filter(isNesting);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === most) return true;
    level = level.flatMap((value) => Object.values(value)).filter(isNesting);
  }
  return false;
}

const isNesting = (value: unknown): value is object => typeof value === 'object' && value !== null;

const invalid = (problem: string) =>
  new PortalError('request.invalid', {
    message: `data: ${problem}`,
    details: [{ path: 'data', message: problem }],
  });
