const template = import.meta.glob<string>(
  ['../../../templates/vite-react/**/*', '!**/{node_modules,dist}/**', '!**/package-lock.json', '!**/.env*'],
  // `exhaustive` for .gitignore.
  { query: '?raw', import: 'default', eager: true, exhaustive: true },
);

const types = import.meta.glob<string>('../../loader/orange-id.types.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The text of each file of the template project, by its path there. The types are those of the script tag. */
export const templateFiles: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(template).map(([path, text]) => [path.replace(/^.*\/vite-react\//, ''), text] as const),
  ...Object.values(types).map((text) => ['src/orange-id.types.ts', text] as const),
]);
