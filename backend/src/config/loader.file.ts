import type { PublicConfig } from '@orange-id/contract/config.schema';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The script tag of other sites under the name that its content decides, and its integrity. */
export type LoaderFile = NonNullable<PublicConfig['loader']>;

/** Reads the manifest that the build writes beside the loader; `undefined` if the widget isn't built. */
export function readLoader(webRoot: string): LoaderFile | undefined {
  const manifest = join(webRoot, 'widget', 'orange-id.json');
  if (!existsSync(manifest)) return undefined;
  const { file, integrity } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    file: string;
    integrity: string;
  };
  return { path: `/widget/${file}`, integrity };
}
