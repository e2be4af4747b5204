import { gameLimits } from '@orange-id/contract/game.wire';
import { formatBytes } from '../../../ui/number.text';
import { formatSpan } from '../../../ui/time.text';
import type { GameFiles, ScriptFacts } from './game.files';
import type { SessionFacts } from './game.session';

export interface Check {
  id: string;
  title: string;
  /** `ask`: only the developer can see it. */
  result: 'passed' | 'failed' | 'warning' | 'ask' | 'waiting' | 'notChecked';
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

const useFiles = 'Use a zip or a folder';

/** What the playground finds in a game: what failed first, otherwise in the order of the guide. */
export function checksOf(checked: Checked): Check[] {
  const checks = inOrderOfGuide(checked);
  const failed = checks.filter(({ result }) => result === 'failed');
  return [...failed, ...checks.filter(({ result }) => result !== 'failed')];
}

const countWords: [Check['result'], string][] = [
  ['failed', 'failed'],
  ['warning', 'with a warning'],
  ['ask', 'to check yourself'],
  ['waiting', 'waiting'],
  ['notChecked', 'not checked'],
];

/** `12 of 12 passed`, or `9 of 12 passed, 1 failed, 2 waiting`. */
export function summaryOf(checks: readonly Check[]): string {
  const count = (wanted: Check['result']) => checks.filter(({ result }) => result === wanted).length;
  const others = countWords
    .filter(([result]) => count(result) > 0)
    .map(([result, words]) => `${count(result)} ${words}`);
  return [`${count('passed')} of ${checks.length} passed`, ...others].join(', ');
}

function inOrderOfGuide({ facts, files, isReported, isClosed }: Checked): Check[] {
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
          ? { result: 'passed', found: `After ${formatSpan(loadedAtMs)}` }
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
          : scores.length > 0
            ? { result: 'warning', found: 'That round saved nothing. Does the game call saveGameData?' }
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
      expected: `Game over, then saved data, within ${formatSpan(gameLimits.quitMs)}`,
      section: 'quit',
    },
    {
      id: 'size',
      title: 'Size',
      ...ofFiles(({ bytes }) => ({
        result: bytes < gameLimits.gameBytes ? 'passed' : 'failed',
        found: formatBytes(bytes),
      })),
      expected: `Under ${formatBytes(gameLimits.gameBytes)}, uncompressed`,
      section: 'requirements',
    },
    {
      id: 'script',
      title: 'One minified script',
      ...ofFiles(scriptOf),
      expected: 'All scripts in one file, minified',
      section: 'requirements',
    },
    {
      id: 'screen',
      title: 'Works in full screen',
      ...screenOf(facts),
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

/** Which scripts a game has, and what to do until it is one minified file. */
function scriptOf({ scripts, isMinified, hasInline }: ScriptFacts): Pick<Check, 'result' | 'found'> {
  const failed = (found: string) => ({ result: 'failed' as const, found });
  const [first, ...others] = scripts;
  if (first === undefined) {
    return failed(
      hasInline ? 'The script is inside index.html. Move it into one .js file.' : 'The game has no script.',
    );
  }
  const rest = hasInline ? ' A script inside index.html belongs in it too.' : '';
  if (others.length > 0) {
    const all = others.length === 1 ? 'both' : 'all';
    return failed(
      `${scripts.length} scripts: ${listOf(scripts)}. Put ${all} in one file, then minify it.${rest}`,
    );
  }
  if (hasInline) return failed(`${first}, and a script inside index.html. Move it into ${first}.`);
  return isMinified
    ? { result: 'passed', found: `${first} looks minified: its lines are long` }
    : failed(`${first} isn’t minified: its lines are short`);
}

/** Names that the finding has room for. */
const namesMax = 5;

function listOf(names: readonly string[]): string {
  const shown = names.length > namesMax ? names.slice(0, namesMax) : names.slice(0, -1);
  const last = names.length > namesMax ? `${names.length - namesMax} more` : names.at(-1);
  return `${shown.join(', ')} and ${last}`;
}

/** Whether the game fills the screen can only be seen. */
function screenOf({ hasFilledScreen, fillsScreen }: SessionFacts): Pick<Check, 'result' | 'found'> {
  if (!hasFilledScreen) return { result: 'waiting', found: 'Press Full screen' };
  if (fillsScreen === null) return { result: 'ask', found: 'Does the game fill the screen?' };
  return fillsScreen
    ? { result: 'passed', found: 'You saw it fill the screen' }
    : { result: 'failed', found: 'You saw that it doesn’t fill the screen' };
}

function quitOf(quit: SessionFacts['quit'], isClosed: boolean): Pick<Check, 'result' | 'found'> {
  if (quit === null) return { result: 'waiting', found: 'Press Quit' };
  if (!isClosed) return { result: 'waiting', found: 'Asked' };
  const { overAfterMs, savedAfterMs } = quit;
  if (overAfterMs === null && savedAfterMs === null) return { result: 'failed', found: 'No answer' };
  if (overAfterMs === null) return { result: 'failed', found: 'Saved data without game over' };
  if (savedAfterMs === null) return { result: 'failed', found: 'Game over without saved data' };
  if (savedAfterMs < overAfterMs) return { result: 'failed', found: 'Saved data before game over' };
  return { result: 'passed', found: `After ${formatSpan(savedAfterMs)}` };
}
