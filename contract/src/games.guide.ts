import { exampleGame, keyPlaceholder } from './call.snippets.js';
import type { PublicConfig } from './config.schema.js';
import type { DocsSection } from './docs.blocks.js';
import { limits } from './limits.js';
import { gameLimits, toGame, toHost } from './game.wire.js';

/** Where the guide and its playground are, and where the portal serves the SDK. */
export const gamesGuidePath = '/games-sdk-integration-guide';
export const playgroundPath = '/games-sdk-integration-guide/playground';
export const gameSdkPaths = { script: '/sdk/orange-game.js', package: '/sdk/orange-game-sdk.tgz' } as const;

export const gamesGuideLead =
  'Connect your HTML5 game to the tournament platform: players sign in with Orange ID, their scores count, and their progress comes back.';

const seconds = (ms: number): string => `${ms / 1000} seconds`;
const megabytes = gameLimits.gameBytes / 2 ** 20;

/** The guide's examples, which the tests of the SDK run. Each is the body of a module that has `game`. */
export const gameExamples = {
  create: `import { createGame } from '@orange-id/game-sdk';

export const game = createGame();`,
  load: `// What this player saved last, or these values for a new player.
const saved = await game.getGameData({ best: 0, coins: 0 });

showBest(saved.best);

// The game can be played now.
await game.gameLoaded();`,
  over: `async function endRound(score) {
  await game.gameOver(score);
  if (score > saved.best) {
    saved.best = score;
    await game.saveGameData(saved);
  }
}`,
  pause: `// The host asks: it shows a menu, or the player left the tab.
game.on('pause', () => {
  stopTheClock();
  game.gamePaused();
});
game.on('resume', () => {
  startTheClock();
  game.gameResumed();
});

// The player paused the game inside it.
pauseButton.addEventListener('click', () => {
  stopTheClock();
  game.gamePaused();
});`,
  quit: `// The SDK sends the score, then the data, and the host removes the game.
game.onQuit(() => ({ score: currentScore(), data: saved }));`,
  errors: `try {
  await game.saveGameData(saved);
} catch (error) {
  // 'noFrame', 'invalidScore', 'invalidData' or 'noAnswer'
  showProblem(error.code, error.message);
}`,
} as const;

export const gameInstallCommand = (baseUrl: string): string =>
  `npm install ${baseUrl}${gameSdkPaths.package}`;

/** Puts a game and the SDK into one minified script. */
export const gameBuildCommand = 'npx rolldown src/game.js --file game.js --minify';

/** Puts the build file and a game's script into one minified script. */
export const gameJoinCommand =
  'cat orange-game.js game.js > all.js && npx rolldown all.js --file game.min.js --minify';

export const gameScriptExample = (
  baseUrl: string,
): string => `<script src="${baseUrl}${gameSdkPaths.script}"></script>
<script>
  const game = OrangeGame.createGame();
</script>`;

/** A module for the page around a game that keeps its data and scores. Its functions are what the page's host calls. */
export const keepExample = (
  baseUrl: string,
): string => `const game = '${baseUrl}/api/v1/games/${exampleGame}';

async function call(method, path, token, body) {
  const response = await fetch(game + path, {
    method,
    headers: {
      'X-API-Key': '${keyPlaceholder}',
      Authorization: \`Bearer \${token}\`,
      'Content-Type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, ...(await response.json()) };
}

// { data, version }; data is null before the first save.
export const load = (token) => call('GET', '/data', token);

// Returns the new version, also if another device was faster: \`merge\` gets its data and this device's.
export async function save(token, data, version, merge) {
  let newest = data;
  for (;;) {
    const answer = await call('PUT', '/data', token, { data: newest, version });
    if (answer.status !== 409) return answer;
    version = answer.current.version;
    newest = merge(answer.current.data, data);
  }
}

// { best, is_best, rank_today, rank }
export const report = (token, score) => call('POST', '/scores', token, { score });`;

/** A module that shows a leaderboard live, on any page. */
export const watchExample = (
  baseUrl: string,
): string => `const board = '${baseUrl}/api/v1/games/${exampleGame}/leaderboard';

// Calls \`show\` with the scores, now and whenever they change, until \`signal\`, if given, is aborted.
export async function watch(show, signal = new AbortController().signal) {
  let version = '';
  while (!signal.aborted) {
    try {
      const headers = { 'X-API-Key': '${keyPlaceholder}' };
      const response = await fetch(\`\${board}?after=\${version}\`, { headers, signal });
      if (!response.ok) throw new Error(response.statusText);
      const newest = await response.json();
      if (newest.version !== version) show(newest.scores);
      version = newest.version;
    } catch {
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 5_000));
    }
  }
}`;

const message = (type: string, payload: string, meaning: string): string[] => [
  `\`${type}\``,
  payload,
  meaning,
];

/** The guide's text, for a portal at `baseUrl`. */
export function gamesGuide(baseUrl: string): readonly DocsSection<string>[] {
  const { create, load, over, pause, quit, errors } = gameExamples;
  return [
    {
      id: 'introduction',
      title: 'Introduction',
      blocks: [
        {
          text: 'The tournament platform shows your game in a frame. The game SDK is the line between the two: your game says when it has loaded, when it pauses and what the score is; the platform keeps each player’s data and tells your game to pause, resume or quit.',
        },
        {
          text: 'The SDK has no dependency and weighs 2 kB. It speaks the messages that hosts of the platform already use, so a game with it runs in all of them.',
        },
      ],
    },
    {
      id: 'get-started',
      title: 'How to get started',
      blocks: [
        {
          list: [
            '**Integrate Orange ID.** [Create a project](/orange-id), then [add sign-in](/docs#authentication-sign-in) to your game’s own page. Players on the platform are signed in already.',
            '**Install the SDK.** As [one script or an npm package](#install), then send [the messages](#load) that the platform waits for.',
            '**Try it** in the [playground](/games-sdk-integration-guide/playground), which runs your game as the platform does and checks it.',
            '**Submit your game** by the form, with the playground’s report. Say where it is hosted and how it is played.',
            '**Get listed.** Once your game is accepted, it appears on the game-listing site, where players and tournaments find it.',
          ],
        },
      ],
    },
    {
      id: 'requirements',
      title: 'Basic SDK requirements',
      blocks: [
        {
          list: [
            '**HTML5.** The game runs in current browsers, without plug-ins.',
            '**One script.** All scripts are combined in one file, minified and obfuscated, so that scores are harder to forge.',
            `**Under ${megabytes} MB.** All files together, uncompressed.`,
            '**Hostable on a web server.** Plain files: no server program, and relative paths.',
            '**Works in full screen.** The game fills its window, on a phone and on a desktop, and follows a change of size.',
            '**Includes the SDK.** The game reports loading, game over and saved data, and answers quit.',
          ],
        },
      ],
    },
    {
      id: 'install',
      title: 'Installing the SDK',
      blocks: [
        { text: 'With a bundler, install the package from this portal:' },
        {
          code: gameInstallCommand(baseUrl),
          label: 'install command',
          language: 'Terminal',
        },
        { code: create, label: 'module that connects the game', language: 'JavaScript' },
        {
          text: 'For the release, the bundler puts the SDK and your game into one minified script, for example:',
        },
        { code: gameBuildCommand, label: 'build command', language: 'Terminal' },
        {
          text: 'Without one, put the build file into your game’s page while you develop:',
        },
        { code: gameScriptExample(baseUrl), label: 'page with the build file', language: 'HTML' },
        {
          text: 'For the release, download the build file, put it and your own script into one file, and minify that. Then your game has one script and needs no other server:',
        },
        { code: gameJoinCommand, label: 'command for one script', language: 'Terminal' },
        {
          text: `\`createGame\` takes two options: \`hostOrigin\`, the only origin that may host the game, and \`hostWindow: 'top'\` for a game inside another frame of yours.`,
        },
      ],
    },
    {
      id: 'load',
      title: 'Load the game and its data',
      blocks: [
        { text: 'Ask for the player’s data while your game loads, then say that it has loaded:' },
        { code: load, label: 'loading a game', language: 'JavaScript' },
        {
          text: `\`getGameData\` is sent at once; calls made before the answer share one request. Scores and saves wait for \`gameLoaded()\`, at most ${seconds(gameLimits.loadedMs)}.`,
        },
      ],
    },
    {
      id: 'score',
      title: 'Send a score and save data',
      blocks: [
        { code: over, label: 'end of a round', language: 'JavaScript' },
        {
          text: `A score is a finite number. Data is any JSON value but null, for example the best score and coins, at most ${gameLimits.dataBytes.toLocaleString('en')} bytes; it replaces what was saved before, for this player and this game.`,
        },
        {
          text: 'Scores and data come from the player’s browser, where they can be changed. Don’t give out anything of value for them without a check of your own.',
        },
      ],
    },
    {
      id: 'data-and-scores',
      title: 'Keep data and scores on your own site',
      blocks: [
        {
          text: 'The platform keeps data and scores for you. On your own site this portal does: add the game to a project under Games in [My Projects](/projects), and let players [sign in](/docs#authentication-sign-in). Then the page around the game makes three calls, with the project’s key and the player’s access token:',
        },
        { code: keepExample(baseUrl), label: 'page that keeps data and scores', language: 'JavaScript' },
        {
          text: 'Each save names the version it is based on. If another device has saved since, you get that newer data instead of losing it: merge the two, then save again. Players who haven’t signed in play all the same: keep their data in the browser, and save it once they have.',
        },
        {
          text: 'The [leaderboard](/docs#reference-leaderboard) takes the key alone. It has each player’s best score, of today and of all time, and names only those who let your app see their name. Scores come from the player’s device and can be forged.',
        },
        {
          text: `To show it live, send the version you have: the call waits until the scores change, at most ${limits.leaderboardWaitSeconds} seconds. Each call counts as one:`,
        },
        { code: watchExample(baseUrl), label: 'live leaderboard', language: 'JavaScript' },
      ],
    },
    {
      id: 'pause',
      title: 'Pause and resume',
      blocks: [
        { code: pause, label: 'pausing a game', language: 'JavaScript' },
        {
          text: 'Several listeners work, and `on` returns a function that removes its listener. Hosts go on without an answer to pause and resume; the playground warns.',
        },
      ],
    },
    {
      id: 'quit',
      title: 'Quit',
      blocks: [
        {
          text: `When the platform asks a game to quit, it must send game over and save its data within ${seconds(gameLimits.quitMs)}. Then it is removed.`,
        },
        { code: quit, label: 'quitting a game', language: 'JavaScript' },
      ],
    },
    {
      id: 'errors',
      title: 'Errors',
      blocks: [
        { text: 'Every method returns a promise that rejects with a code and a message:' },
        { code: errors, label: 'handling an error', language: 'JavaScript' },
        {
          table: {
            head: ['Code', 'Meaning'],
            rows: [
              ['`noFrame`', 'The game isn’t in a frame, so there is no host.'],
              ['`invalidScore`', 'The score isn’t a finite number.'],
              ['`invalidData`', 'The data is null, isn’t JSON, or is too large.'],
              ['`noAnswer`', `The host sent no data within ${seconds(gameLimits.dataMs)}.`],
            ],
          },
        },
      ],
    },
    {
      id: 'messages',
      title: 'The messages',
      blocks: [
        {
          text: 'Each message is `postMessage({ event_type, payload })` between the frame and its host. You need them only without the SDK.',
        },
        {
          table: {
            head: ['From the game', 'Payload', 'Method'],
            rows: [
              message(toHost.loaded, '–', '`gameLoaded()`'),
              message(toHost.paused, '–', '`gamePaused()`'),
              message(toHost.resumed, '–', '`gameResumed()`'),
              message(toHost.over, '`{ score }`', '`gameOver(score)`'),
              message(toHost.save, '`{ data }`', '`saveGameData(data)`'),
              message(toHost.getData, '`{ defaultData }`', '`getGameData(defaults)`'),
            ],
          },
        },
        {
          table: {
            head: ['To the game', 'Payload', 'In the game'],
            rows: [
              message(toGame.data, '`{ gameData }`', 'the answer to `getGameData`'),
              message(toGame.pause, '–', "`on('pause', …)`"),
              message(toGame.resume, '–', "`on('resume', …)`"),
              message(toGame.quit, '–', '`onQuit(…)`'),
            ],
          },
        },
      ],
    },
  ];
}

/** A card of the guide: a file of the portal, or a page of another site, which the operator may leave out. */
export interface GamesGuideCard {
  title: string;
  help: string;
  /** A path of the portal, or the name of a link of the configuration. */
  target: { path: string } | { link: 'gameRepository' | 'gameForm' | 'gameListing' };
}

export const gamesGuideCards: readonly GamesGuideCard[] = [
  {
    title: 'Download the build file',
    help: 'One script for a page without a bundler',
    target: { path: gameSdkPaths.script },
  },
  {
    title: 'Download the npm package',
    help: 'A module with types, for a bundler',
    target: { path: gameSdkPaths.package },
  },
  {
    title: 'Open the repository',
    help: 'Example games and reported problems',
    target: { link: 'gameRepository' },
  },
  { title: 'Submit your game', help: 'The form for new games', target: { link: 'gameForm' } },
  { title: 'See listed games', help: 'Where players find your game', target: { link: 'gameListing' } },
];

/** Where a card leads; `null` for a link that the operator has left out. */
export const targetOf = ({ target }: GamesGuideCard, links: PublicConfig['links']): string | null =>
  'path' in target ? target.path : links[target.link];
