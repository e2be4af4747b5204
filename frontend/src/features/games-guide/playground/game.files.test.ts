import { expect, test } from '@jest/globals';
import { playgroundLimits } from '@orange-id/contract/playground.protocol';
import { zipSync, strToU8 } from 'fflate';
import { readFolder, readZip, scriptsOf } from './game.files';

const zipOf = (files: Record<string, string | Uint8Array>) => {
  const entries = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'string' ? strToU8(content) : content,
  ]);
  return new File([zipSync(Object.fromEntries(entries) as never)], 'game.zip');
};

test('a zip is read from the folder of its outermost index.html', async () => {
  const game = await readZip(
    zipOf({
      'game/index.html': '<script src="game.js">',
      'game/game.js': 'a',
      'game/levels/index.html': 'x',
      '__MACOSX/game/index.html': 'x',
      'game/.DS_Store': 'x',
      'notes.txt': 'left out',
    }),
  );
  expect([...game.files.keys()]).toEqual(['index.html', 'game.js', 'levels/index.html']);
  expect([game.name, game.bytes]).toEqual(['game.zip', 24]);
  expect(await game.files.get('game.js')?.text()).toBe('a');
});

test.each<[string, Record<string, string | Uint8Array>, RegExp]>([
  ['a name that leads out', { 'index.html': '', '../evil.js': '' }, /\.\.\/evil\.js leads out/],
  ['an absolute name', { 'index.html': '', '/etc/passwd': '' }, /\/etc\/passwd leads out/],
  ['a name of Windows', { 'index.html': '', '..\\evil.js': '' }, /leads out/],
  ['no index.html', { 'game.js': '' }, /game\.zip has no index\.html/],
  [
    'a bomb',
    { 'index.html': '', 'zeros.bin': new Uint8Array(playgroundLimits.bytes + 1) },
    /more than 50 MB/,
  ],
  [
    'too many files',
    Object.fromEntries(
      Array.from({ length: playgroundLimits.files + 1 }, (_, place) => [`${place}.txt`, '']),
    ),
    /more than 2,000 files/,
  ],
])('a zip with %s is refused with the reason', async (_name, files, reason) => {
  await expect(readZip(zipOf(files))).rejects.toThrow(reason);
});

test('a zip that claims a smaller size than it has never unpacks more than it claims', async () => {
  const bytes = zipSync({ 'index.html': [new Uint8Array(10_000_000), { level: 9 }] });
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let place = 0; place < bytes.length - 4; place++) {
    // The sizes in the local header and in the directory.
    if (view.getUint32(place, true) === 0x04034b50) view.setUint32(place + 22, 100, true);
    if (view.getUint32(place, true) === 0x02014b50) view.setUint32(place + 24, 100, true);
  }
  const game = await readZip(new File([new Uint8Array(bytes)], 'game.zip')).catch((error: Error) => error);
  if (game instanceof Error) expect(game.message).toMatch(/isn’t a zip file/);
  else expect(game.bytes).toBeLessThanOrEqual(100);
});

test('a file that is no zip is refused by its name', async () => {
  await expect(readZip(new File(['text'], 'game.rar'))).rejects.toThrow(/^game\.rar isn’t a zip file\.$/);
});

test('a folder is read by its paths', async () => {
  const file = (path: string, content: string) =>
    Object.defineProperty(new File([content], path.split('/').at(-1) as string), 'webkitRelativePath', {
      value: path,
    });
  const game = await readFolder([file('orbit/index.html', ''), file('orbit/js/game.js', 'abc')]);
  expect([game.name, [...game.files.keys()], game.bytes]).toEqual(['orbit', ['index.html', 'js/game.js'], 3]);
  await expect(readFolder([])).rejects.toThrow('folder has no index.html');
});

test('a script is minified if its lines are long', async () => {
  const judge = async (script: string) =>
    scriptsOf(await readZip(zipOf({ 'index.html': '', 'game.js': script })));
  expect(await judge('const a = 1;\n'.repeat(100))).toMatchObject({
    scripts: ['game.js'],
    isMinified: false,
  });
  expect(await judge(`/* licence */\n${'a=1;'.repeat(1000)}`)).toMatchObject({
    scripts: ['game.js'],
    isMinified: true,
  });
});

test('scripts come in the order of the page, and a script inside it is found', async () => {
  const judge = async (html: string) =>
    scriptsOf(await readZip(zipOf({ 'index.html': html, 'game.js': 'g', 'late.js': 'l', 'sdk.js': 's' })));
  expect(
    await judge('<script src="./sdk.js"></script><!-- <script>old()</script> --><SCRIPT src=game.js>'),
  ).toMatchObject({ scripts: ['sdk.js', 'game.js', 'late.js'], hasInline: false });
  expect(await judge('<script type="application/ld+json">{}</script><script> </script>')).toMatchObject({
    hasInline: false,
  });
  expect(await judge('<script type="module">play()</script>')).toMatchObject({ hasInline: true });
});

test('a page made to be slow to search is read in time', async () => {
  const hostile = ['<!--', '<script', '<script ', '<script src='].map((part) => part.repeat(500_000));
  for (const html of hostile) await scriptsOf(await readZip(zipOf({ 'index.html': html })));
});
