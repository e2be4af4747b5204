import { illustratedPaths, type MeteredPath, meteredPaths } from './metered.paths.js';

/** The path of a URL, without its query. */
export const pathOf = (url = ''): string => /^[^?#]*/.exec(url)?.[0] ?? '';

/** The methods of each path template. */
const methods = new Map<string, string[]>();
for (const { method, path } of Object.values<MeteredPath>(meteredPaths)) {
  methods.set(path, [...(methods.get(path) ?? []), method]);
}

/** Templates with a parameter, whose segment is `null`. */
const patterns = [...methods.keys()]
  .filter((template) => template.includes('{'))
  .map((template) => ({
    template,
    segments: template.split('/').map((segment) => (segment.startsWith('{') ? null : segment)),
  }));

/** The path template of the metered routes that a path matches, or `undefined`. A template without parameters wins. */
export function meteredTemplateOf(path: string): string | undefined {
  if (methods.has(path)) return path;
  const segments = path.split('/');
  return patterns.find(
    (pattern) =>
      pattern.segments.length === segments.length &&
      pattern.segments.every((segment, place) => segment === null || segment === segments[place]),
  )?.template;
}

/** The methods of a template that `meteredTemplateOf` returned. */
export const meteredMethodsOf = (template: string): readonly string[] => methods.get(template) ?? [];

const illustrated = new Set(Object.values(illustratedPaths).map(({ method, path }) => `${method} ${path}`));

/** Whether this is a call that the documentation only illustrates. */
export const isIllustrated = (method: string, path: string): boolean => illustrated.has(`${method} ${path}`);
