import { beforeEach, describe, expect, test } from '@jest/globals';
import { playgroundLimits } from '@orange-id/contract/playground.protocol';
import { checksOf, summaryOf, type Check } from './game.checks';
import { emptySession, GameSession, type SessionState } from './game.session';

const origin = 'http://playground.localhost';

describe('a session of a game', () => {
  let atMs: number;
  let sent: { message: { event_type: string; payload?: unknown }; target: string }[];
  let frame: Window;
  let state: SessionState;
  let events: string[];
  let saved: string[];
  let scores: number[];
  let session: GameSession;
  const open = (data: string | null = null) => {
    state = emptySession;
    return new GameSession(frame, {
      playgroundOrigin: origin,
      saved: data,
      onEvent: (event) => events.push(event),
      onSave: (json) => saved.push(json),
      onScore: (score) => scores.push(score),
      onReady: () => events.push('ready'),
      onFailure: (reason) => events.push(reason),
      onChange: (next) => (state = next),
      now: () => atMs,
    });
  };
  beforeEach(() => {
    atMs = 0;
    sent = [];
    events = [];
    saved = [];
    scores = [];
    frame = {
      postMessage: (message: { event_type: string }, target: string) => sent.push({ message, target }),
    } as unknown as Window;
    session = open();
  });
  const from = (data: unknown, source: unknown = frame, by = origin) =>
    session.receive({ source: source as Window, origin: by, data });
  const game = (event_type: string, payload?: unknown) => from({ event_type, payload });
  const check = (id: string, more: { isClosed?: boolean } = {}) =>
    checksOf({ facts: state.facts, files: null, isReported: true, isClosed: false, ...more }).find(
      (each) => each.id === id,
    ) as Check;
  const problems = () => state.log.flatMap(({ problem }) => problem ?? []);

  test('names itself, gives the game its data, and notes that it has loaded', () => {
    game('ORANGE_SDK_HELLO', { sdk: '1.0.0' });
    game('GG_GET_GAME_DATA', { defaultData: { best: 0 } });
    atMs = 1_250;
    game('GG_GAME_LOAD_FINISHED');
    expect(sent).toEqual([
      { message: { event_type: 'ORANGE_SDK_HOST', payload: { host: 'orange-id' } }, target: '*' },
      { message: { event_type: 'GG_SET_GAME_DATA', payload: { gameData: { best: 0 } } }, target: '*' },
    ]);
    expect(events).toEqual(['game.loaded']);
    expect(check('loaded')).toMatchObject({ result: 'passed', found: 'After 1.3 s' });
  });

  test.each([
    ['a score', 'GG_GAME_OVER', { score: 1 }],
    ['data', 'GG_UPDATE_GAME_DATA', { data: 1 }],
  ])('finds %s that comes before the game has loaded, unless it answers quit', (_name, type, payload) => {
    session.quit();
    game(type, payload);
    expect(check('loaded').result).toBe('waiting');
    expect(check('loaded', { isClosed: true })).toMatchObject({ result: 'failed', found: 'Never' });
    session = open();
    game(type, payload);
    game('GG_GAME_LOAD_FINISHED');
    expect(check('loaded')).toMatchObject({ result: 'failed', found: 'A score or data came first' });
  });

  test('keeps what the game saves and gives it back', () => {
    session = open('{"best":3}');
    game('GG_GET_GAME_DATA', { defaultData: { best: 0 } });
    game('GG_UPDATE_GAME_DATA', { data: { best: 9 } });
    game('GG_GET_GAME_DATA', { defaultData: { best: 0 } });
    expect(sent.map(({ message }) => message.payload)).toEqual([
      { gameData: { best: 3 } },
      { gameData: { best: 9 } },
    ]);
    expect(saved).toEqual(['{"best":9}']);
    expect(check('data')).toMatchObject({ result: 'passed', found: 'Saved once' });
  });

  test('finds pause and resume answered, or warns', () => {
    expect(check('pause').result).toBe('waiting');
    session.pause();
    expect(check('pause').result).toBe('warning');
    game('GG_PAUSED_FROM_GAME');
    session.resume();
    game('GG_RESUMED_FROM_GAME');
    expect([check('pause').result, check('resume').result]).toEqual(['passed', 'passed']);
    expect(sent.map(({ message }) => message)).toEqual([
      { event_type: 'GG_PAUSED_FROM_PARENT' },
      { event_type: 'GG_RESUMED_FROM_PARENT' },
    ]);
  });

  test.each<[string, [string, unknown][], string, string]>([
    ['nothing', [], 'failed', 'No answer'],
    ['game over alone', [['GG_GAME_OVER', { score: 1 }]], 'failed', 'Game over without saved data'],
    ['data alone', [['GG_UPDATE_GAME_DATA', { data: 1 }]], 'failed', 'Saved data without game over'],
    [
      'data first',
      [
        ['GG_UPDATE_GAME_DATA', { data: 1 }],
        ['GG_GAME_OVER', { score: 1 }],
      ],
      'failed',
      'Saved data before game over',
    ],
    [
      'both',
      [
        ['GG_GAME_OVER', { score: 1 }],
        ['GG_UPDATE_GAME_DATA', { data: 1 }],
      ],
      'passed',
      'After 200 ms',
    ],
  ])('judges an answer to quit with %s', (_name, answers, result, found) => {
    session.quit();
    expect(check('quit').result).toBe('waiting');
    for (const [type, payload] of answers) {
      atMs += 100;
      game(type, payload);
    }
    expect(check('quit', { isClosed: true })).toMatchObject({ result, found });
  });

  test.each([NaN, Infinity, '7', null, undefined, {}, [7]])('refuses %p as a score', (score) => {
    game('GG_GAME_OVER', { score });
    expect(events).toEqual([]);
    expect(check('score').result).toBe('failed');
    expect(problems()).toEqual(['The score isn’t a finite number']);
    expect(scores.every(Number.isFinite)).toBe(true);
  });

  test('refuses data that is null, cyclic or too large, and answers a request all the same', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    game('GG_UPDATE_GAME_DATA', { data: null });
    game('GG_UPDATE_GAME_DATA', { data: cycle });
    game('GG_UPDATE_GAME_DATA', { data: 'x'.repeat(10_000_000) });
    game('GG_UPDATE_GAME_DATA');
    game('GG_GET_GAME_DATA', { defaultData: null });
    expect(saved).toEqual([]);
    expect(problems()).toEqual([
      'The data is null',
      'The data isn’t JSON',
      'The data has 10,000,002 bytes as JSON, more than 65,536',
      'The data is null',
      'The data is null',
    ]);
    expect(sent.at(-1)?.message.payload).toEqual({ gameData: {} });
    expect(JSON.stringify(state.log).length).toBeLessThan(5_000);
  });

  test('ignores other windows, and the playground’s own messages from other origins', () => {
    from({ event_type: 'GG_GAME_LOAD_FINISHED' }, {});
    from({ event_type: 'GG_GAME_LOAD_FINISHED' }, null);
    from({ playground: 'ready' }, frame, 'https://elsewhere.example.com');
    for (const data of [null, undefined, 'text', 7, [], {}, { event_type: 7 }]) from(data);
    expect([events, state.log]).toEqual([[], []]);
    from({ playground: 'ready' });
    expect(events).toEqual(['ready']);
  });

  test('names a message that no host knows', () => {
    game('__proto__', { a: 1 });
    game('x'.repeat(10_000));
    expect(problems()).toEqual(['No host knows this message', 'No host knows this message']);
    expect(state.log[1]?.type).toHaveLength(100);
  });

  test('answers a bounded number of messages a second, and keeps a bounded log', () => {
    for (let second = 0; second < 10; second++) {
      atMs = second * 1_000;
      for (let sentNow = 0; sentNow < 1_000; sentNow++) game('GG_GET_GAME_DATA', { defaultData: 1 });
    }
    expect(sent).toHaveLength(10 * playgroundLimits.messagesPerSecond);
    expect(state.log).toHaveLength(playgroundLimits.log);
    expect(check('rate')).toMatchObject({ result: 'failed', found: '9,000 messages not answered' });
  });

  test('shows errors of the game and requests to other origins, each bounded', () => {
    for (let error = 0; error < 100; error++) from({ playground: 'error', message: `broken ${error}` });
    from({ playground: 'blocked', address: 'https://evil.example.com/' });
    from({ playground: 'blocked', address: 'https://evil.example.com/' });
    from({ playground: 'failed', reason: 'blocked' });
    expect(state.facts.errors).toHaveLength(20);
    expect(check('errors').result).toBe('failed');
    expect(check('requests')).toMatchObject({ result: 'failed', found: 'https://evil.example.com/' });
    expect(state.facts.blocked).toHaveLength(1);
    expect(events).toEqual(['blocked']);
  });

  test('checks what needs the files only where there are files', () => {
    const found = (files: Parameters<typeof checksOf>[0]['files'], isReported = false) => {
      const checks = checksOf({ facts: state.facts, files, isReported, isClosed: false });
      return ['size', 'script', 'errors', 'requests'].map((wanted) => {
        const { result, found: words } = checks.find(({ id }) => id === wanted) as Check;
        return [result, words];
      });
    };
    const none = ['notChecked', 'Use a zip or a folder'];
    expect(found(null)).toEqual([none, none, none, none]);
    const script = { scripts: ['game.js'], isMinified: true, hasInline: false };
    expect(found({ bytes: 7 * 2 ** 20, ...script }, true)).toEqual([
      ['failed', '7 MB'],
      ['passed', 'game.js looks minified: its lines are long'],
      ['passed', 'None'],
      ['passed', 'None'],
    ]);
    expect(found({ bytes: 7 * 2 ** 20 - 1, ...script })[0]).toEqual(['passed', '6.9 MB']);
  });

  test.each<[string[], boolean, boolean, string]>([
    [[], false, false, 'The game has no script.'],
    [[], true, false, 'The script is inside index.html. Move it into one .js file.'],
    [['game.js'], false, false, 'game.js isn’t minified: its lines are short'],
    [['game.js'], true, true, 'game.js, and a script inside index.html. Move it into game.js.'],
    [
      ['orange-game.js', 'game.js'],
      false,
      true,
      '2 scripts: orange-game.js and game.js. Put both in one file, then minify it.',
    ],
    [
      ['a.js', 'b.js', 'c.js'],
      true,
      true,
      '3 scripts: a.js, b.js and c.js. Put all in one file, then minify it. A script inside index.html belongs in it too.',
    ],
    [
      ['1.js', '2.js', '3.js', '4.js', '5.js', '6.js', '7.js'],
      false,
      true,
      '7 scripts: 1.js, 2.js, 3.js, 4.js, 5.js and 2 more. Put all in one file, then minify it.',
    ],
  ])('says what to do about the scripts %j', (scripts, hasInline, isMinified, found) => {
    const files = { bytes: 1, scripts, hasInline, isMinified };
    const [first] = checksOf({ facts: state.facts, files, isReported: true, isClosed: false });
    // What failed comes first.
    expect(first).toMatchObject({ id: 'script', result: 'failed', found });
  });

  test('full screen passes only when the developer says that the game fills it', () => {
    expect(check('screen')).toMatchObject({ result: 'waiting', found: 'Press Full screen' });
    session.noteFullScreen();
    expect(check('screen')).toMatchObject({ result: 'ask', found: 'Does the game fill the screen?' });
    session.judgeFullScreen(false);
    expect(check('screen').result).toBe('failed');
    session.judgeFullScreen(true);
    expect(check('screen').result).toBe('passed');
    session.noteFullScreen();
    expect(check('screen').result).toBe('ask');
  });

  test('asks about a round that saved nothing, until one does', () => {
    game('GG_GAME_LOAD_FINISHED');
    expect(check('data')).toMatchObject({ result: 'waiting', found: 'Finish a round' });
    game('GG_GAME_OVER', { score: 1 });
    expect(check('data')).toMatchObject({
      result: 'warning',
      found: 'That round saved nothing. Does the game call saveGameData?',
    });
    game('GG_UPDATE_GAME_DATA', { data: 1 });
    expect(check('data').result).toBe('passed');
  });

  test('sums up the checks, and a clean report in one number', () => {
    const files = { bytes: 1, scripts: ['game.js'], isMinified: true, hasInline: false };
    const summary = (isClosed: boolean) =>
      summaryOf(checksOf({ facts: state.facts, files, isReported: true, isClosed }));
    session.pause();
    expect(summary(false)).toBe('5 of 12 passed, 1 with a warning, 6 waiting');
    game('GG_PAUSED_FROM_GAME');
    session.resume();
    game('GG_RESUMED_FROM_GAME');
    session.noteFullScreen();
    session.judgeFullScreen(true);
    game('GG_GAME_LOAD_FINISHED');
    session.quit();
    game('GG_GAME_OVER', { score: 1 });
    game('GG_UPDATE_GAME_DATA', { data: 1 });
    expect(summary(true)).toBe('12 of 12 passed');
  });
});
