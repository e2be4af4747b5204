import { curlFor, headersFor, urlFor, type Call } from './call.snippets.js';
import type { MeteredPath } from './metered.paths.js';

/** The languages of the snippets, in the order they are offered. */
export const snippetLanguages = {
  curl: { title: 'curl', label: 'curl command' },
  fetch: { title: 'fetch', label: 'fetch snippet' },
  node: { title: 'Node.js', label: 'Node.js script' },
  python: { title: 'Python', label: 'Python script' },
} as const;

export type SnippetLanguage = keyof typeof snippetLanguages;

/** A program that makes one call and prints the response. Every value is quoted for its language, whatever it holds. */
export const snippetFor = (
  language: SnippetLanguage,
  route: MeteredPath,
  call: Call & { apiKey: string },
): string => writers[language](route, call);

type Writer = (route: MeteredPath, call: Call & { apiKey: string }) => string;

const writers: Record<SnippetLanguage, Writer> = {
  curl: curlFor,
  fetch: (route, call) =>
    [
      `const response = await fetch(${inScript(urlFor(route, call))}, {`,
      ...optionsInScript(route, call),
      '});',
      'console.log(response.status, await response.json());',
    ].join('\n'),
  node: (route, call) =>
    [
      '// Node.js 18 or later: save as call.mjs, then run node call.mjs',
      `const response = await fetch(${inScript(urlFor(route, call))}, {`,
      ...optionsInScript(route, call),
      '  signal: AbortSignal.timeout(30_000),',
      '});',
      'const answer = await response.json();',
      'if (!response.ok) {',
      '  console.error(`${response.status} ${answer.message}`);',
      '  process.exit(1);',
      '}',
      'console.log(JSON.stringify(answer, null, 2));',
    ].join('\n'),
  python: (route, call) =>
    [
      'import json',
      'import sys',
      'from urllib import error, request',
      '',
      'call = request.Request(',
      `    ${inPython(urlFor(route, call))},`,
      `    method=${inPython(route.method)},`,
      '    headers={',
      ...headersOf(route, call).map(([name, value]) => `        ${inPython(name)}: ${inPython(value)},`),
      '    },',
      ...(call.body === undefined
        ? []
        : [
            call.bodyText === undefined
              ? `    data=json.dumps(${literal(call.body, python, '    ')}).encode(),`
              : `    data=${inPython(call.bodyText)}.encode(),`,
          ]),
      ')',
      'try:',
      '    with request.urlopen(call, timeout=30) as response:',
      '        print(json.dumps(json.load(response), indent=2))',
      'except error.HTTPError as refusal:',
      '    sys.exit(f"{refusal.code} {refusal.read().decode()}")',
    ].join('\n'),
};

const headersOf = (...[route, call]: Parameters<Writer>): [string, string][] => [
  ['X-API-Key', call.apiKey],
  ...headersFor(route, call),
  ...(call.body === undefined ? [] : ([['Content-Type', 'application/json']] as [string, string][])),
];

const optionsInScript: (...call: Parameters<Writer>) => string[] = (route, call) => [
  ...(route.method === 'GET' ? [] : [`  method: ${inScript(route.method)},`]),
  '  headers: {',
  ...headersOf(route, call).map(([name, value]) => `    ${inScript(name)}: ${inScript(value)},`),
  '  },',
  ...(call.body === undefined
    ? []
    : [
        call.bodyText === undefined
          ? `  body: JSON.stringify(${literal(call.body, script, '  ')}),`
          : `  body: ${inScript(call.bodyText)},`,
      ]),
];

/** How a language writes the values of JSON. */
interface Syntax {
  text: (value: string) => string;
  /** The name of an object's entry. */
  name: (value: string) => string;
  words: { true: string; false: string; null: string };
}

/** Escapes of JSON mean the same in JavaScript and in Python. */
const inPython = (text: string): string => JSON.stringify(text);

const inScript = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const script: Syntax = {
  text: inScript,
  // A plain `__proto__` would set the prototype.
  name: (name) =>
    name === '__proto__' ? "['__proto__']" : /^[A-Za-z_$][\w$]*$/.test(name) ? name : inScript(name),
  words: { true: 'true', false: 'false', null: 'null' },
};

const python: Syntax = {
  text: inPython,
  name: inPython,
  words: { true: 'True', false: 'False', null: 'None' },
};

/** A value of JSON as a literal, over several lines. */
function literal(value: unknown, syntax: Syntax, indent: string): string {
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value === 'boolean' || value === null) return syntax.words[`${value}`];
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}${syntax === python ? '    ' : '  '}`;
  const items = Array.isArray(value)
    ? value.map((item) => literal(item, syntax, inner))
    : Object.entries(value).map(([name, item]) => `${syntax.name(name)}: ${literal(item, syntax, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  return [open, ...items.map((item) => `${inner}${item},`), `${indent}${close}`].join('\n');
}
