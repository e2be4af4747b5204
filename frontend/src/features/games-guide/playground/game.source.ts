import { playgroundPaths } from '@orange-id/contract/playground.protocol';
import { formatBytes, formatCount } from '../../../ui/number.text';
import type { GameFiles, ScriptFacts } from './game.files';

/** The game that the playground runs. */
export type GameSource =
  | { kind: 'sample' }
  | { kind: 'files'; game: GameFiles; scripts: ScriptFacts }
  /** On a server of the reader's own machine. */
  | { kind: 'address'; address: string };

/** Where the frame starts. Without an origin for games, only the sample and local addresses run. */
export function frameAddress(source: GameSource, playgroundOrigin: string | null): string {
  if (source.kind === 'address') return source.address;
  return playgroundOrigin === null ? playgroundPaths.ownSample : `${playgroundOrigin}${playgroundPaths.run}`;
}

/** The sample on the portal's own origin must not have it. */
export const sandboxOf = (source: GameSource, playgroundOrigin: string | null): string =>
  source.kind !== 'address' && playgroundOrigin === null
    ? 'allow-scripts allow-pointer-lock'
    : 'allow-scripts allow-same-origin allow-pointer-lock';

/** What runs, as the page names it. */
export function describe(source: GameSource): { name: string; details: string } {
  if (source.kind === 'sample') return { name: 'Orange Catch', details: 'the sample game' };
  if (source.kind === 'address') return { name: source.address, details: 'on this computer' };
  const { name, files, bytes } = source.game;
  const count = files.size === 1 ? '1 file' : `${formatCount(files.size)} files`;
  return { name, details: `${count}, ${formatBytes(bytes)}` };
}

/** What the report calls the game, and under which this browser keeps its data. */
export const nameOf = (source: GameSource): string =>
  source.kind === 'sample'
    ? 'sample'
    : source.kind === 'files'
      ? source.game.name
      : new URL(source.address).origin;

/** The address of a game on this machine, or the reason why it isn't one. */
export function readAddress(text: string): { address: string } | { problem: string } {
  const given = text.trim();
  const problem = 'Enter the address of a game on this computer, such as http://localhost:8080';
  if (!URL.canParse(given)) return { problem };
  const { protocol, hostname, href } = new URL(given);
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1';
  return protocol === 'http:' && isLocal ? { address: href } : { problem };
}

/** How long a server on this machine may take to answer. */
const answerMs = 5_000;

/** Whether a server answers at the address, with whatever response. */
export async function isAnswering(address: string, signal: AbortSignal): Promise<boolean> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  try {
    // The response can't be read from another origin, and need not be.
    await fetch(address, { method: 'HEAD', mode: 'no-cors', credentials: 'omit', signal: until });
    return true;
  } catch {
    return false;
  }
}

const storageKey = (name: string): string => `playground-data:${name}`;

/** What a game saved in this browser, as JSON. A browser that blocks storage keeps nothing. */
export function readSaved(name: string): string | null {
  try {
    return localStorage.getItem(storageKey(name));
  } catch {
    return null;
  }
}

export function writeSaved(name: string, json: string | null): void {
  try {
    if (json === null) localStorage.removeItem(storageKey(name));
    else localStorage.setItem(storageKey(name), json);
  } catch {
    // The game goes on with what this page keeps.
  }
}
