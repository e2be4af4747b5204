import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { keyPlaceholder, urlFor } from './call.snippets.js';
import { type MeteredPath, meteredPaths } from './metered.paths.js';
import { snippetFor, type SnippetLanguage } from './snippets.js';

const { walletTransactions, addToken, token } = meteredPaths;
const post: MeteredPath = {
  ...token,
  method: 'POST',
  parameters: [
    ...token.parameters,
    { name: 'note', in: 'query', type: 'text', required: false, description: '', example: '' },
  ],
};

/** What breaks out of a string if it is quoted badly. */
const hostile = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...["'", '"', '\\', "\\'", '\\"', '`${1}`', '$(id)', "'); evil('", '"); evil("', '\n', '\r', '\u2028'],
    ...['\ud800', '\ufeff', '{id}', '{}', '%0a', '#', '"""', "'''", '\\N{DIGIT ONE}', '\\x41', '</script>'],
  ),
);
const call = fc.record({ apiKey: hostile, id: hostile, note: hostile, body: fc.jsonValue() });

interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

/** Runs a script with a `fetch` that only notes what it is asked to send. */
async function sentByScript(code: string): Promise<Sent> {
  const sent: Sent[] = [];
  const scope = {
    AbortSignal,
    JSON,
    console: { log: () => undefined },
    fetch: (url: string, init: { method?: string; headers: Record<string, string>; body?: string }) => {
      const body = init.body === undefined ? undefined : (JSON.parse(init.body) as unknown);
      sent.push({ url, method: init.method ?? 'GET', headers: { ...init.headers }, body });
      return { ok: true, status: 200, json: () => ({}) };
    },
  };
  await (runInNewContext(`(async () => {\n${code}\n})()`, scope) as Promise<void>);
  expect(sent).toHaveLength(1);
  return sent[0] as Sent;
}

const expected = ({
  apiKey,
  id,
  note,
  body,
}: {
  apiKey: string;
  id: string;
  note: string;
  body: unknown;
}) => ({
  options: { baseUrl: 'http://localhost:3000', apiKey, parameters: { id, note }, body },
  sent: {
    url: urlFor(post, { baseUrl: 'http://localhost:3000', parameters: { id, note } }),
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.parse(JSON.stringify(body)) as unknown,
  },
});

/** Whether a text has no lone surrogate. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

describe.each<SnippetLanguage>(['fetch', 'node'])('the %s snippet', (language) => {
  test('sends exactly the given URL, headers and body, whatever they hold', () =>
    fc.assert(
      fc.asyncProperty(call, async (given) => {
        // A lone surrogate can't be part of a URL.
        fc.pre(isWellFormed(given.id));
        const { options, sent } = expected(given);
        expect(await sentByScript(snippetFor(language, post, options))).toEqual(sent);
      }),
      { numRuns: 150 },
    ));

  test('sends an entry named __proto__ like any other', async () => {
    const body = JSON.parse('{"__proto__": {"a": 1}}') as unknown;
    const code = snippetFor(language, addToken, { baseUrl: 'http://localhost', apiKey: 'k', body });
    expect(JSON.stringify((await sentByScript(code)).body)).toBe('{"__proto__":{"a":1}}');
  });
});

const pythonIsHere = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

(pythonIsHere ? test : test.skip)(
  `the Python snippet sends exactly the given URL, headers and body, whatever they hold${
    pythonIsHere ? '' : ' (skipped: python3 isn’t installed)'
  }`,
  () => {
    const given = fc.sample(call, 300).filter(({ id }) => isWellFormed(id));
    const programs = given.map((one) => snippetFor('python', post, expected(one).options));
    // One process for all: starting Python takes longer than everything else. The program's `request` and `error`
    // are replaced by stubs that record the call.
    const runner = `
import json, sys
sent = []
class Request:
    def __init__(self, url, method, headers, data):
        sent.append({"url": url, "method": method, "headers": headers, "body": json.loads(data)})
class Response:
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def read(self): return b"{}"
class request:
    Request = Request
    urlopen = staticmethod(lambda call, timeout: Response())
class error:
    HTTPError = ValueError
head = "from urllib import error, request\\n"
for program in json.load(sys.stdin):
    assert head in program
    exec(program.replace(head, "", 1), {"request": request, "error": error, "print": lambda *_: None})
sys.stdout.write(json.dumps(sent))
`;
    const out = execFileSync('python3', ['-c', runner], {
      input: JSON.stringify(programs),
      maxBuffer: 2 ** 28,
      env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
    });
    expect(JSON.parse(out.toString())).toEqual(given.map((one) => expected(one).sent));
  },
);

describe('a snippet', () => {
  const options = { baseUrl: 'https://portal.example.com', apiKey: keyPlaceholder };

  test('in fetch reads like code that a person writes', () => {
    expect(snippetFor('fetch', walletTransactions, { ...options, parameters: { blocks: '5' } })).toBe(
      `const response = await fetch('https://portal.example.com/api/v1/wallet/transactions?blocks=5', {
  headers: {
    'X-API-Key': 'YOUR_API_KEY',
  },
});
console.log(response.status, await response.json());`,
    );
  });

  test('in Node.js has its body as an object, and reports a refusal', () => {
    expect(snippetFor('node', addToken, { ...options, body: { address: "it's", list: [null, true] } })).toBe(
      `// Node.js 18 or later: save as call.mjs, then run node call.mjs
const response = await fetch('https://portal.example.com/api/v1/tokens', {
  method: 'POST',
  headers: {
    'X-API-Key': 'YOUR_API_KEY',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    address: 'it\\'s',
    list: [
      null,
      true,
    ],
  }),
  signal: AbortSignal.timeout(30_000),
});
const answer = await response.json();
if (!response.ok) {
  console.error(\`\${response.status} \${answer.message}\`);
  process.exit(1);
}
console.log(JSON.stringify(answer, null, 2));`,
    );
  });

  test('in Python uses only the standard library', () => {
    expect(snippetFor('python', addToken, { ...options, body: { address: '0x1', is_new: false, more: {} } }))
      .toBe(`import json
import sys
from urllib import error, request

call = request.Request(
    "https://portal.example.com/api/v1/tokens",
    method="POST",
    headers={
        "X-API-Key": "YOUR_API_KEY",
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "address": "0x1",
        "is_new": False,
        "more": {},
    }).encode(),
)
try:
    with request.urlopen(call, timeout=30) as response:
        print(json.dumps(json.load(response), indent=2))
except error.HTTPError as refusal:
    sys.exit(f"{refusal.code} {refusal.read().decode()}")`);
  });

  test('with curl is the command that other pages show', () => {
    expect(snippetFor('curl', meteredPaths.key, { ...options, apiKey: 'oid_4fGh' })).toBe(
      "curl -H 'X-API-Key: oid_4fGh' \\\n  'https://portal.example.com/api/v1/key'",
    );
  });
});
