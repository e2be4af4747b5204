import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(__dirname, '../../../templates/vite-react');

/** Stands in for `template.files.ts`, whose files only Vite can import. */
export const templateFiles: Readonly<Record<string, string>> = Object.fromEntries([
  ...readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(root, path), readFileSync(path, 'utf8')] as const),
  [
    'src/orange-id.types.ts',
    readFileSync(join(__dirname, '../../loader/orange-id.types.ts'), 'utf8'),
  ] as const,
]);
