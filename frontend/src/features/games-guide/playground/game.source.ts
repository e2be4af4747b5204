import { playgroundPaths } from '@orange-id/contract/playground.protocol';
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
