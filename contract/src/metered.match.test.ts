import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from './any.text.fixture.js';
import { isIllustrated, meteredMethodsOf, meteredTemplateOf, pathOf } from './metered.match.js';
import { illustratedPaths, type MeteredPath, meteredPaths } from './metered.paths.js';

const routes = Object.values<MeteredPath>(meteredPaths);

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s matches its own template only, and lists its method',
  (_, { method, path }) => {
    const filled = path.replace(/\{\w+\}/g, '0x12');
    expect(meteredTemplateOf(filled)).toBe(path);
    expect(meteredMethodsOf(path)).toContain(method);
    for (const other of [`${filled}/more/x`, `x${filled}`, filled.toUpperCase(), filled.slice(1)]) {
      expect(meteredTemplateOf(other)).toBeUndefined();
    }
  },
);

test('no two routes have the same method and path, and each path parameter is in the template', () => {
  const names = routes.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
  for (const { path, parameters } of routes) {
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])).toEqual(inPath);
  }
});

test('an illustrated call is not a route, and only its own method and path are illustrated', () => {
  for (const { method, path } of Object.values(illustratedPaths)) {
    expect(isIllustrated(method, path)).toBe(true);
    expect(isIllustrated('DELETE', path)).toBe(false);
    expect(isIllustrated(method, `${path}/`)).toBe(false);
    expect(meteredTemplateOf(path)).toBeUndefined();
  }
  for (const { method, path } of routes) expect(isIllustrated(method, path)).toBe(false);
});

test('a path is everything before the query and the fragment', () => {
  expect(pathOf('/a/b?c=/d')).toBe('/a/b');
  expect(pathOf('/a#b?c')).toBe('/a');
  expect(pathOf()).toBe('');
});

test('any other path matches no route', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), (text) => {
      expect(meteredTemplateOf(`/${text}`)).toBeUndefined();
    }),
  );
});
