import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';

const folder = import.meta.dirname;
/** The portal serves these files at `/sdk/`. */
const served = join(folder, '..', 'frontend', 'dist', 'sdk');
/** Of each file, after gzip. Games have seven megabytes, and load this before they start. */
const maxBytes = 3000;
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };

const shared = {
  root: folder,
  publicDir: false,
  configFile: false,
  logLevel: 'warn',
  define: { SDK_VERSION: JSON.stringify(version) },
} as const;
const target = { target: 'es2022', minify: true, sourcemap: false } as const;

const script: InlineConfig = {
  ...shared,
  build: {
    ...target,
    outDir: served,
    emptyOutDir: true,
    lib: {
      entry: 'src/script.ts',
      formats: ['iife'],
      name: 'OrangeGameSdk',
      fileName: () => 'orange-game.js',
    },
  },
};

/** The pages of the playground's own origin: the sample game, and what runs games of others. */
const playground = join(folder, '..', 'frontend', 'dist', 'playground');
const pages = { 'sample/game.js': 'sample.game', 'run.js': 'run', 'sw.js': 'sw', 'report.js': 'report' };

async function buildPlayground(): Promise<void> {
  rmSync(playground, { recursive: true, force: true });
  for (const [file, source] of Object.entries(pages)) {
    await build({
      ...shared,
      build: {
        ...target,
        outDir: playground,
        emptyOutDir: false,
        lib: {
          entry: `playground/${source}.ts`,
          formats: ['iife'],
          name: 'Playground',
          fileName: () => file,
        },
      },
    });
  }
  copyFileSync(join(folder, 'playground/sample.html'), join(playground, 'sample/index.html'));
  copyFileSync(join(folder, 'playground/run.html'), join(playground, 'run.html'));
}

/** Builds the script file beside the module, and packs the package as npm does. */
const finish = (): Plugin => ({
  name: 'script-and-package',
  async closeBundle() {
    await build(script);
    await buildPlayground();
    const types = readFileSync(join(folder, 'src/game.sdk.types.ts'), 'utf8');
    writeFileSync(
      join(folder, 'dist/game-sdk.d.ts'),
      `${types}
export declare const createGame: CreateGame;
export declare const GameError: { new (code: GameErrorCode, message: string): GameError; prototype: GameError };
`,
    );
    const code = readFileSync(join(served, 'orange-game.js'));
    for (const file of [code, readFileSync(join(folder, 'dist/game-sdk.js'))]) {
      const { byteLength } = gzipSync(file, { level: 9 });
      if (byteLength > maxBytes) {
        throw new Error(`The game SDK has ${byteLength} bytes after gzip, more than ${maxBytes}`);
      }
    }
    writeFileSync(join(served, 'orange-game.js.gz'), gzipSync(code, { level: 9 }));
    writeFileSync(join(served, 'orange-game.js.br'), brotliCompressSync(code));
    pack();
  },
});

/** `npm pack` writes the same bytes for the same files. */
function pack(): void {
  const into = join(folder, 'dist', 'packed');
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', into], {
    cwd: folder,
    stdio: 'ignore',
    timeout: 60_000,
  });
  renameSync(join(into, `orange-id-game-sdk-${version}.tgz`), join(served, 'orange-game-sdk.tgz'));
  rmSync(into, { recursive: true });
}

export default defineConfig({
  ...shared,
  plugins: [finish()],
  build: {
    ...target,
    outDir: 'dist',
    emptyOutDir: true,
    lib: { entry: 'src/game.sdk.ts', formats: ['es'], fileName: () => 'game-sdk.js' },
  },
});
