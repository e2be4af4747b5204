import { gameLimits } from '@orange-id/contract/game.wire';
import type { GameFiles, ScriptFacts } from './game.files';
import type { SessionFacts } from './game.session';

export interface Check {
  id: string;
  title: string;
  result: 'passed' | 'failed' | 'warning' | 'waiting' | 'notChecked';
  found: string;
  expected: string;
  /** The section of the guide. */
  section: string;
}

export interface Checked {
  facts: SessionFacts;
  /** The reader's files; `null` for the sample, which has none to read, and for a local address. */
  files: (Pick<GameFiles, 'bytes'> & ScriptFacts) | null;
  /** Whether the playground's script runs in the game's page and reports errors. */
  isReported: boolean;
  /** Whether the game was removed, after it was asked to quit. */
  isClosed: boolean;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
const useFiles = 'Not checked: use a zip or a folder';

/** What the playground finds in a game, in the order of the guide. */
export function checksOf({ facts, files, isReported, isClosed }: Checked): Check[] {
  const { loadedAtMs, pause, resume, quit, scores, invalidScores, saves, invalidData } = facts;
  const answered = (ask: SessionFacts['pause'], name: string): Pick<Check, 'result' | 'found'> =>
    ask === null
      ? { result: 'waiting', found: `Press ${name}` }
      : ask.isAnswered
        ? { result: 'passed', found: 'Answered' }
        : { result: 'warning', found: 'No answer' };
  const ofFiles = (judge: (files: NonNullable<Checked['files']>) => Pick<Check, 'result' | 'found'>) =>
    files === null ? { result: 'notChecked' as const, found: useFiles } : judge(files);
  const ofReports = (findings: string[], good: string): Pick<Check, 'result' | 'found'> =>
    isReported
      ? { result: findings.length === 0 ? 'passed' : 'failed', found: findings[0] ?? good }
      : { result: 'notChecked', found: useFiles };

  return [
    {
      id: 'loaded',
      title: 'Reports that it has loaded',
      ...(facts.cameBeforeLoaded
        ? { result: 'failed', found: 'A score or data came first' }
        : loadedAtMs !== null
          ? { result: 'passed', found: `After ${seconds(loadedAtMs)}` }
          : isClosed
            ? { result: 'failed', found: 'Never' }
            : { result: 'waiting', found: 'Not yet' }),
      expected: '`gameLoaded()` once the game can be played',
      section: 'load',
    },
    {
      id: 'score',
      title: 'Sends a score',
      ...(invalidScores.length > 0
        ? { result: 'failed', found: `Not a finite number: ${invalidScores.at(-1)}` }
        : scores.length > 0
          ? { result: 'passed', found: `${scores.at(-1)}` }
          : { result: 'waiting', found: 'Finish a round' }),
      expected: '`gameOver(score)` with a finite number',
      section: 'score',
    },
    {
      id: 'data',
      title: 'Saves data',
      ...(invalidData.length > 0
        ? { result: 'failed', found: String(invalidData.at(-1)) }
        : saves > 0
          ? { result: 'passed', found: saves === 1 ? 'Saved once' : `Saved ${saves} times` }
          : { result: 'waiting', found: 'Finish a round' }),
      expected: `JSON other than null, at most ${gameLimits.dataBytes.toLocaleString('en')} bytes`,
      section: 'score',
    },
    {
      id: 'pause',
      title: 'Answers pause',
      ...answered(pause, 'Pause'),
      expected: '`gamePaused()`; nothing demands an answer',
      section: 'pause',
    },
    {
      id: 'resume',
      title: 'Answers resume',
      ...answered(resume, 'Resume'),
      expected: '`gameResumed()`; nothing demands an answer',
      section: 'pause',
    },
    {
      id: 'quit',
      title: 'Answers quit',
      ...quitOf(quit, isClosed),
      expected: `Game over, then saved data, within ${seconds(gameLimits.quitMs)}`,
      section: 'quit',
    },
    {
      id: 'size',
      title: 'Size',
      ...ofFiles(({ bytes }) => ({
        result: bytes < gameLimits.gameBytes ? 'passed' : 'failed',
        found: megabytes(bytes),
      })),
      expected: `Under ${megabytes(gameLimits.gameBytes)}, uncompressed`,
      section: 'requirements',
    },
    {
      id: 'script',
      title: 'One minified script',
      ...ofFiles(({ scripts, isMinified }) => ({
        result: scripts.length !== 1 ? 'failed' : isMinified ? 'passed' : 'failed',
        found:
          scripts.length !== 1
            ? `${scripts.length} script files`
            : `${scripts[0]}, ${isMinified ? 'minified' : 'not minified'}, by the length of its lines`,
      })),
      expected: 'All scripts in one file, minified',
      section: 'requirements',
    },
    {
      id: 'screen',
      title: 'Works in full screen',
      ...(facts.hasFilledScreen
        ? { result: 'passed', found: 'Opened; look whether the game fills it' }
        : { result: 'waiting', found: 'Press Full screen' }),
      expected: 'The game fills its window and follows a change of size',
      section: 'requirements',
    },
    {
      id: 'errors',
      title: 'No error in the console',
      ...ofReports(facts.errors, 'None'),
      expected: 'None',
      section: 'errors',
    },
    {
      id: 'requests',
      title: 'No request to another origin',
      ...ofReports(facts.blocked, 'None'),
      expected: 'All files from the game’s own folder',
      section: 'requirements',
    },
    {
      id: 'rate',
      title: 'A reasonable number of messages',
      ...(facts.dropped > 0
        ? { result: 'failed', found: `${facts.dropped.toLocaleString('en')} messages not answered` }
        : { result: 'passed', found: 'Below the limit' }),
      expected: 'At most 100 messages a second',
      section: 'messages',
    },
  ];
}

function quitOf(quit: SessionFacts['quit'], isClosed: boolean): Pick<Check, 'result' | 'found'> {
  if (quit === null) return { result: 'waiting', found: 'Press Quit' };
  if (!isClosed) return { result: 'waiting', found: 'Asked' };
  const { overAfterMs, savedAfterMs } = quit;
  if (overAfterMs === null && savedAfterMs === null) return { result: 'failed', found: 'No answer' };
  if (overAfterMs === null) return { result: 'failed', found: 'Saved data without game over' };
  if (savedAfterMs === null) return { result: 'failed', found: 'Game over without saved data' };
  if (savedAfterMs < overAfterMs) return { result: 'failed', found: 'Saved data before game over' };
  return { result: 'passed', found: `After ${seconds(savedAfterMs)}` };
}
