import { appearanceFonts, type AppearanceFont } from '@orange-id/contract/appearance';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const packages: Record<Exclude<AppearanceFont, 'system'>, string> = {
  inter: 'inter',
  figtree: 'figtree',
  nunito: 'nunito',
  'source-serif': 'source-serif-4',
  'jetbrains-mono': 'jetbrains-mono',
};

/** Copies the fonts that a login panel can have: `fonts/<font>.css`, and the files that it names. */
export const copyFonts = (outDir: string): Plugin => ({
  name: 'widget-fonts',
  async closeBundle() {
    const folder = join(outDir, 'fonts');
    mkdirSync(join(folder, 'files'), { recursive: true });
    const { resolve } = createRequire(import.meta.url);
    for (const font of appearanceFonts) {
      if (font === 'system') continue;
      const source = dirname(resolve(`@fontsource-variable/${packages[font]}/package.json`));
      const css = readFileSync(join(source, 'index.css'), 'utf8');
      for (const [, file] of css.matchAll(/url\(\.\/(files\/[\w.-]+)\)/g)) {
        copyFileSync(join(source, file as string), join(folder, file as string));
      }
      await writeFile(join(folder, `${font}.css`), css);
    }
  },
});
