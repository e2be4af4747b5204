import { describe, expect, test } from '@jest/globals';
import { anyText } from './any.text.fixture.js';
import fc from 'fast-check';
import {
  checkNewUrl,
  checkWhitelistUrl,
  isOriginAllowed,
  isPublicHost,
  surplusPart,
} from './whitelist.rule.js';

const verdictOf = (input: string, existing: string[] = []) => {
  const verdict = checkWhitelistUrl(input, existing);
  return verdict.ok ? verdict.url : verdict.code;
};

/** What a person, a script or an attacker may type, and the exact verdict on it. */
const table: [input: string, verdict: string][] = [
  ['https://example.com', 'https://example.com'],
  ['http://example.com', 'http://example.com'],
  ['  https://example.com  ', 'https://example.com'],
  ['HTTPS://EXAMPLE.COM', 'https://example.com'],
  ['https://example.com/', 'https://example.com'],
  ['https://example.com/a/b?c=d#e', 'https://example.com'],
  ['https://example.com:8443', 'https://example.com'],
  ['https://example.com:443/', 'https://example.com'],
  ['https://example.com?next=https://other.com', 'https://example.com'],
  ['https://medium.com/@someone', 'https://medium.com'],
  ['https://example.com/?mail=a@b.com', 'https://example.com'],
  ['https:example.com', 'https://example.com'],
  ['https:///example.com', 'https://example.com'],
  ['https://a.b.c.d.example.co.uk', 'https://a.b.c.d.example.co.uk'],
  ['https://a.b', 'https://a.b'],
  ['https://1and1.com', 'https://1and1.com'],
  ['https://my_app.example.com', 'https://my_app.example.com'],
  ['https://_a.my_app_.b.example.com', 'https://_a.my_app_.b.example.com'],
  ['https://my_app.com', 'notPublic'],
  ['https://app.my_company.com', 'notPublic'],
  ['https://app.example.co_m', 'notPublic'],
  ['https://app.example.com.', 'https://app.example.com'],
  ['https://app.example.com.:8443/x', 'https://app.example.com'],
  ['https://app.example.com..', 'notPublic'],
  ['https://a--b.com', 'https://a--b.com'],
  [`https://${'a'.repeat(63)}.com`, `https://${'a'.repeat(63)}.com`],

  // empty and unparseable
  ['', 'required'],
  ['   ', 'required'],
  ['\t\n', 'required'],
  ['example.com', 'unparseable'],
  ['https://', 'unparseable'],
  ['https://?', 'unparseable'],
  ['https://exa mple.com', 'unparseable'],
  ['https://exa\u00a0mple.com', 'unparseable'],
  ['https://exa\u3000mple.com', 'unparseable'],
  ['https://exam\tple.com', 'unparseable'],
  ['https://example.com/\nx', 'unparseable'],
  ['https://example.com/a b', 'unparseable'],
  ['\u0000https://example.com', 'unparseable'],
  ['java script:alert(1)', 'unparseable'],
  ['https://example.com:99999', 'port'],
  ['http://example.com:65536/path', 'port'],
  ['https://example.com:abc', 'port'],
  ['https://example.com:80a?x=:1', 'port'],
  ['https://user:secret@example.com:99999', 'port'],
  ['https://[::1]:99999', 'port'],
  ['https://exa<mple.com:99999', 'unparseable'],
  ['https://2001:db8::1', 'unparseable'],
  ['ftp://example.com:99999', 'unparseable'],
  ['https://:99999', 'unparseable'],
  ['https://exa%00mple.com', 'unparseable'],
  ['https://exa<mple.com', 'unparseable'],
  ['https://xn--a.com', 'unparseable'],
  ['https://1.2.3.4.5', 'unparseable'],
  ['https://256.1.1.1', 'unparseable'],
  ['https://8.8.8.08.0x', 'unparseable'],
  ['https://[::1', 'unparseable'],
  ['//example.com', 'unparseable'],

  // The order: scheme, then length, then localhost.
  ['ftp://a', 'protocol'],
  ['ftp://localhost', 'protocol'],
  ['javascript:alert(1)', 'protocol'],
  ['data:text/html,x', 'protocol'],
  ['file:///etc/passwd', 'protocol'],
  ['ws://example.com', 'protocol'],
  ['example.com:443', 'protocol'],
  ['localhost:3000', 'protocol'],
  ['https://a', 'tooShort'],
  ['https://ab', 'tooShort'],
  ['https://localhost', 'local'],
  ['https://LOCALHOST:3000/x', 'local'],
  ['https://mylocalhost.com', 'local'],
  ['https://localhost.example.com', 'local'],
  ['https://app.localhost', 'local'],
  ['https://localhost.', 'local'],
  ['https://user@localhost', 'local'],
  ['https://lo\u00adcalhost', 'local'],
  ['https://ⓛocalhost', 'local'],
  ['https://127.0.0.1', 'local'],
  ['https://127.0.0.1:8080', 'local'],
  ['https://127.0.0.1.', 'local'],
  ['https://127.0.0.1.example.com', 'local'],
  ['https://0.0.0.0', 'local'],

  // other spellings of the loopback and the unspecified address
  ['https://127.1', 'local'],
  ['https://0x7f.1', 'local'],
  ['https://0x7f000001', 'local'],
  ['https://2130706433', 'local'],
  ['https://017700000001', 'local'],
  ['https://0177.0.0.01', 'local'],
  ['https://①②⑦.0.0.1', 'local'],
  ['https://127。0。0。1', 'local'],
  ['https://0', 'local'],
  ['https://000', 'local'],

  // addresses that are not public
  ['https://127.0.0.2', 'notPublic'],
  ['https://10.0.0.1', 'notPublic'],
  ['https://012.0.0.1', 'notPublic'],
  ['https://0xa.1', 'notPublic'],
  ['https://172.16.0.1', 'notPublic'],
  ['https://172.31.255.255', 'notPublic'],
  ['https://192.168.1.1', 'notPublic'],
  ['https://3232235777', 'notPublic'],
  ['https://169.254.169.254', 'notPublic'],
  ['https://100.64.0.1', 'notPublic'],
  ['https://198.18.0.1', 'notPublic'],
  ['https://192.0.2.1', 'notPublic'],
  ['https://198.51.100.7', 'notPublic'],
  ['https://203.0.113.9', 'notPublic'],
  ['https://0.1.2.3', 'notPublic'],
  ['https://224.0.0.1', 'notPublic'],
  ['https://255.255.255.255', 'notPublic'],
  ['https://4294967295', 'notPublic'],

  // public addresses, however spelled
  ['https://8.8.8.8', 'https://8.8.8.8'],
  ['https://8.8.8.8:53', 'https://8.8.8.8'],
  ['https://134744072', 'https://8.8.8.8'],
  ['https://0x08080808', 'https://8.8.8.8'],
  ['https://010.8.8.8', 'https://8.8.8.8'],
  ['https://172.15.0.1', 'https://172.15.0.1'],
  ['https://172.32.0.1', 'https://172.32.0.1'],
  ['https://100.128.0.1', 'https://100.128.0.1'],
  ['https://223.255.255.255', 'https://223.255.255.255'],

  // IPv6, all of it
  ['https://[::1]', 'notPublic'],
  ['https://[::]', 'notPublic'],
  ['https://[::ffff:127.0.0.1]', 'notPublic'],
  ['https://[::ffff:8.8.8.8]', 'notPublic'],
  ['https://[fe80::1]', 'notPublic'],
  ['https://[fc00::1]', 'notPublic'],
  ['https://[2606:4700::1111]', 'notPublic'],
  ['https://[0:0:0:0:0:0:0:1]:3000/x', 'notPublic'],

  // userinfo, backslashes, wildcards, dots, tabs
  ['https://user@example.com', 'credentials'],
  ['https://user:secret@example.com', 'credentials'],
  ['https://@example.com', 'credentials'],
  ['https://:@example.com', 'credentials'],
  ['https://example.com@evil.com', 'credentials'],
  ['https://example.com%40evil.com', 'unparseable'],
  ['https:\\\\example.com', 'notPublic'],
  ['https://example.com\\@evil.com', 'notPublic'],
  ['https://example.com\\.evil.com', 'notPublic'],
  ['https:/\\example.com', 'notPublic'],
  ['https://*.example.com', 'https://*.example.com'],
  ['https://example.*', 'wildcardPlace'],
  ['https://***', 'wildcardPlace'],
  ['https://example.com.', 'https://example.com'],
  ['https://example.com./path', 'https://example.com'],
  ['https://.example.com', 'notPublic'],
  ['https://example..com', 'notPublic'],
  ['https://-example.com', 'notPublic'],
  ['https://example-.com', 'notPublic'],
  ['https://under_score.com', 'notPublic'],
  ["https://exa'mple.com", 'notPublic'],
  ['https://exa$mple.com', 'notPublic'],
  [`https://${'a'.repeat(64)}.com`, 'notPublic'],
  [`https://${'abcdefg.'.repeat(32)}com`, 'notPublic'],

  // names of no public site
  ['https://intranet', 'notPublic'],
  ['https://router.local', 'notPublic'],
  ['https://db.internal', 'notPublic'],
  ['https://nas.lan', 'notPublic'],
  ['https://pc.home', 'notPublic'],
  ['https://router.home.arpa', 'notPublic'],
  ['https://host.localdomain', 'notPublic'],
  ['https://shop.test', 'notPublic'],
  ['https://shop.invalid', 'notPublic'],
  ['https://abc.onion', 'notPublic'],

  // international host names are stored in the form that a browser sends
  ['https://пример.рф', 'https://xn--e1afmkfd.xn--p1ai'],
  ['https://faß.de', 'https://xn--fa-hia.de'],
  ['https://BÜCHER.example.com', 'https://xn--bcher-kva.example.com'],
  ['https://example。com', 'https://example.com'],
  ['https://example．com', 'https://example.com'],
  ['https://ｅｘａｍｐｌｅ.com', 'https://example.com'],
  ['https://exa%6dple.com', 'https://example.com'],
];

describe('checkWhitelistUrl', () => {
  test.each(table)('the verdict on %j is %s', (input, verdict) => {
    expect(verdictOf(input)).toBe(verdict);
  });

  test('a URL already in the list is a duplicate in any spelling', () => {
    const existing = ['https://example.com'];
    expect(verdictOf('https://example.com', existing)).toBe('duplicate');
    expect(verdictOf('HTTPS://Example.COM:8443/path?x', existing)).toBe('duplicate');
    expect(verdictOf('http://example.com', existing)).toBe('http://example.com');
    expect(verdictOf('https://www.example.com', existing)).toBe('https://www.example.com');
    expect(verdictOf('https://example.com/', ['https://localhost'])).toBe('https://example.com');
  });

  test('says whether the result differs from the input', () => {
    expect(checkWhitelistUrl('https://example.com')).toEqual({
      ok: true,
      url: 'https://example.com',
      changed: false,
    });
    expect(checkWhitelistUrl(' https://example.com ')).toMatchObject({ changed: false });
    expect(checkWhitelistUrl('https://example.com/')).toMatchObject({ changed: true });
  });

  test.each([
    ['a long path', `https://example.com/${'a'.repeat(100_000)}`, 'unparseable'],
    ['a long host', `https://${'a.'.repeat(50_000)}com`, 'unparseable'],
    ['long userinfo', `https://${'@'.repeat(100_000)}example.com`, 'unparseable'],
    ['slashes', `https:${'/'.repeat(100_000)}example.com`, 'unparseable'],
    ['only spaces', ' '.repeat(100_000), 'required'],
    [
      'a URL between spaces',
      `${' '.repeat(100_000)}https://example.com${' '.repeat(100_000)}`,
      'https://example.com',
    ],
  ])('accepts or refuses 100 KB correctly: %s', (_, input, verdict) => {
    expect(verdictOf(input)).toBe(verdict);
  });

  test('2048 characters are accepted, and 2049 are refused', () => {
    const fits = `https://example.com/${'a'.repeat(2048 - 20)}`;
    expect(fits).toHaveLength(2048);
    expect(verdictOf(fits)).toBe('https://example.com');
    expect(verdictOf(`${fits}a`)).toBe('unparseable');
  });

  /** Arbitrary text, and text like a URL, built from the parts that parsers treat differently. */
  const parts = fc.constantFrom(
    ...[
      'https://',
      'http://',
      'HTTPS:',
      '//',
      '/',
      '\\',
      '@',
      ':',
      '.',
      '..',
      '*',
      '[',
      ']',
      '%2e',
      '%40',
      '?',
      '#',
    ],
    ...[
      'example',
      'com',
      'localhost',
      '127.0.0.1',
      '::1',
      '10',
      '0x7f',
      '192.168',
      'a',
      '-',
      '_',
      'xn--',
      '443',
    ],
    ...['\t', '\n', ' ', '\u00ad', '。', 'ⓔ', 'ß', '\u202e', '\u0000', '8.8.8.8', 'local', 'io'],
  );
  const composed = fc.array(parts, { maxLength: 12 }).map((list) => list.join(''));
  const addressLike = composed.map((rest) => `https://${rest}`);
  const input = fc.oneof(anyText(), fc.webUrl(), composed, addressLike);

  test('white space or a control character is refused as unparseable at any position', () => {
    const blank = fc.constantFrom(...' \t\n\r\v\f\0\x1b\x7f\x85\xa0\u2003\u2028\u3000\ufeff');
    const solid = input.map((text) => text.trim()).filter((text) => text !== '');
    fc.assert(
      fc.property(solid, blank, solid, (before, space, after) => {
        expect(verdictOf(before + space + after)).toBe('unparseable');
      }),
    );
  });

  test('the verdict does not change with a parser that escapes characters of the host that the server refuses or keeps', () => {
    const hosts = ['exa mple.com', 'exa\u00a8mple.com', '*.example.com', '*', 'example.com'];
    const verdicts = hosts.map((host) => verdictOf(`https://${host}`));
    const escaped: Record<string, string> = {
      'exa mple.com': 'exa%20mple.com',
      'exa\u00a8mple.com': 'xn--exa%20mple-00e.com',
      '*.example.com': '%2A.example.com',
      '*': '%2A',
      'example.com': 'example.com',
    };
    const Platform = globalThis.URL;
    globalThis.URL = class {
      readonly protocol = 'https:';
      readonly hostname: string;
      constructor(text: string) {
        this.hostname = escaped[text.slice('https://'.length)] as string;
      }
    } as unknown as typeof URL;
    try {
      expect(hosts.map((host) => verdictOf(`https://${host}`))).toEqual(verdicts);
    } finally {
      globalThis.URL = Platform;
    }
    expect(verdicts).toEqual([
      'unparseable',
      'unparseable',
      'https://*.example.com',
      'tooShort',
      'https://example.com',
    ]);
  });

  test.each([
    ['https://example.com:99999', 'port', ':99999'],
    ['  https://user:secret@example.com:99999/a:b@c  ', 'port', ':99999'],
    ['https://example.com:abc?x', 'port', ':abc'],
    ['https://user@example.com', 'credentials', 'user@'],
    ['https://user:secret@example.com:8443/@', 'credentials', 'user:secret@'],
    ['https://a@b@example.com', 'credentials', 'a@b@'],
    ['https://@example.com', 'credentials', '@'],
  ] as const)('%j is refused for its %s, and the part to remove is %j', (text, code, part) => {
    expect(verdictOf(text)).toBe(code);
    expect(surplusPart(code, text)).toBe(part);
  });

  test('a URL refused for its port or its credentials always has that part', () => {
    fc.assert(
      fc.property(input, (text) => {
        const code = verdictOf(text);
        if (code === 'port') expect(surplusPart(code, text)).toMatch(/^:[^:]+$/);
        if (code === 'credentials') expect(surplusPart(code, text)).toMatch(/@$/);
      }),
      { numRuns: 5000 },
    );
  });

  test('an accepted URL is only a scheme and a public host, and is accepted again unchanged', () => {
    fc.assert(
      fc.property(input, (text) => {
        const verdict = checkWhitelistUrl(text);
        if (!verdict.ok) return;
        expect(verdict.url).toMatch(/^https?:\/\/[a-z0-9_-]+(\.[a-z0-9_-]+)+$/);
        const { hostname, origin, username, password } = new URL(verdict.url);
        expect(origin).toBe(verdict.url);
        expect(username + password).toBe('');
        expect(isPublicHost(hostname)).toBe(true);
        expect(hostname).not.toMatch(/localhost|127\.0\.0\.1|0\.0\.0\.0/);
        expect(checkWhitelistUrl(verdict.url)).toEqual({ ok: true, url: verdict.url, changed: false });
        expect(checkWhitelistUrl(text, [verdict.url])).toEqual({ ok: false, code: 'duplicate' });
      }),
      { numRuns: 5000 },
    );
  });

  test('an accepted URL allows exactly the origin that a browser sends from it', () => {
    fc.assert(
      fc.property(input, fc.integer({ min: 1, max: 65535 }), (text, port) => {
        const verdict = checkWhitelistUrl(text);
        if (!verdict.ok) return;
        const other = verdict.url.startsWith('https:')
          ? verdict.url.replace('https:', 'http:')
          : verdict.url.replace('http:', 'https:');
        expect(isOriginAllowed(verdict.url, [verdict.url])).toBe('whitelisted');
        expect(isOriginAllowed(`${verdict.url}:${port}`, [verdict.url])).toBe('whitelisted');
        expect(isOriginAllowed(other, [verdict.url])).toBe('refused');
        expect(isOriginAllowed(`${verdict.url}.evil.com`, [verdict.url])).toBe('refused');
      }),
      { numRuns: 2000 },
    );
  });

  const octet = fc.integer({ min: 0, max: 255 });
  const spellings: ((octets: number[]) => string)[] = [
    (octets) => octets.join('.'),
    (octets) => octets.map((n) => `0x${n.toString(16)}`).join('.'),
    (octets) => octets.map((n) => `0${n.toString(8)}`).join('.'),
    (octets) => String(octets.reduce((sum, n) => sum * 256 + n, 0)),
    (octets) => `0x${octets.reduce((sum, n) => sum * 256 + n, 0).toString(16)}`,
  ];
  test('every spelling of an IPv4 address gets the same verdict as the plain one', () => {
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const [plain, ...others] = spellings.map((spell) => verdictOf(`https://${spell(octets)}`));
        for (const other of others) expect(other).toBe(plain);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('checkNewUrl', () => {
  const listed = (count: number) => Array.from({ length: count }, (_, index) => `https://site-${index}.com`);

  test('a list accepts a hundredth URL and no more', () => {
    expect(checkNewUrl('https://example.com', listed(99))).toEqual({
      ok: true,
      url: 'https://example.com',
      changed: false,
    });
    expect(checkNewUrl('https://example.com', listed(100))).toEqual({ ok: false, code: 'tooMany' });
  });

  test('an invalid URL is refused as invalid even if the list is full', () => {
    expect(checkNewUrl('ftp://example.com', listed(100))).toEqual({ ok: false, code: 'protocol' });
    expect(checkNewUrl('https://site-7.com/path', listed(100))).toEqual({ ok: false, code: 'duplicate' });
  });
});

describe('isPublicHost', () => {
  test.each([
    ['example.com', true],
    ['a.b', true],
    ['8.8.8.8', true],
    ['com', false],
    ['', false],
    ['.', false],
    ['example.com.', false],
    ['EXAMPLE.com', false],
    ['[::1]', false],
    ['10.1.2.3', false],
    ['999.1.1.1', false],
    ['8.8.8.999', false],
    ['8.8.8', false],
    ['1.2.3.4.5', false],
    [`${'a'.repeat(61)}.${'a'.repeat(61)}.${'a'.repeat(61)}.${'a'.repeat(61)}.${'a'.repeat(5)}`, true],
    [`${'a'.repeat(61)}.${'a'.repeat(61)}.${'a'.repeat(61)}.${'a'.repeat(61)}.${'a'.repeat(6)}`, false],
  ])('whether %s is a public host: %s', (host, isPublic) => {
    expect(isPublicHost(host)).toBe(isPublic);
  });
});

describe('isOriginAllowed', () => {
  const urls = ['https://example.com', 'http://plain.example.com'];
  test.each([
    ['https://example.com', 'whitelisted'],
    ['https://example.com:8443', 'whitelisted'],
    ['http://plain.example.com:81', 'whitelisted'],
    ['http://example.com', 'refused'],
    ['https://plain.example.com', 'refused'],
    ['https://www.example.com', 'refused'],
    ['https://example.com.evil.com', 'refused'],
    ['https://evil-example.com', 'refused'],
    ['https://example.com@evil.com', 'refused'],
    ['https://example.com.', 'whitelisted'],
    ['wss://example.com', 'refused'],
    ['null', 'refused'],
    ['', 'refused'],
    ['*', 'refused'],
    ['example.com', 'refused'],
    ['chrome-extension://abcdefgh', 'refused'],
    ['http://localhost', 'local'],
    ['http://localhost:5173', 'local'],
    ['https://app.localhost:3000', 'local'],
    ['http://127.0.0.1:8080', 'local'],
    ['http://127.5.5.5', 'local'],
    ['http://[::1]:3000', 'local'],
    ['http://localhost.evil.com', 'refused'],
    ['http://notlocalhost', 'refused'],
    ['http://127.0.0.1.evil.com', 'refused'],
    ['http://10.0.0.1', 'refused'],
  ])('the verdict on the origin %s is %s', (origin, verdict) => {
    expect(isOriginAllowed(origin, urls)).toBe(verdict);
  });

  test.each([
    ['https://pr-1.preview.example.com', 'whitelisted'],
    ['https://pr_1.preview.example.com:8443', 'whitelisted'],
    ['https://PR-1.Preview.example.com.', 'whitelisted'],
    ['https://preview.example.com', 'refused'],
    ['https://a.b.preview.example.com', 'refused'],
    ['https://.preview.example.com', 'refused'],
    ['http://pr-1.preview.example.com', 'refused'],
    ['https://pr-1.preview.example.com.evil.com', 'refused'],
    ['https://evil-preview.example.com', 'refused'],
    ['https://pr-1.preview.example.com@evil.com', 'refused'],
    ['chrome-extension://pr-1.preview.example.com', 'refused'],
  ])('a wildcard stands for one label: %s is %s', (origin, verdict) => {
    expect(isOriginAllowed(origin, ['https://*.preview.example.com'])).toBe(verdict);
  });

  test("the portal's own origin passes by its exact scheme, host and port", () => {
    const own = ['https://portal.example.org'];
    expect(isOriginAllowed('https://portal.example.org', [], own)).toBe('local');
    expect(isOriginAllowed('https://portal.example.org:443', [], own)).toBe('local');
    expect(isOriginAllowed('https://portal.example.org:444', [], own)).toBe('refused');
    expect(isOriginAllowed('http://portal.example.org', [], own)).toBe('refused');
    expect(isOriginAllowed('null', [], ['null'])).toBe('refused');
  });

  test('never throws, and allows only loopback without a list', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.webUrl()), (origin) => {
        const verdict = isOriginAllowed(origin, []);
        if (verdict !== 'refused') {
          expect(new URL(origin).hostname).toMatch(/^(localhost|.*\.localhost|\[::1\]|127(\.\d+){3})$/);
        }
      }),
    );
  });
});

test('an origin with an underscore or a trailing dot is allowed by the URL of its host', () => {
  const urls = ['https://my_app.example.com', 'https://shop.example.com'];
  for (const origin of [
    'https://my_app.example.com',
    'https://my_app.example.com.',
    'https://shop.example.com.:8443',
  ]) {
    expect([origin, isOriginAllowed(origin, urls)]).toEqual([origin, 'whitelisted']);
  }
  for (const origin of ['https://shop.example.com..', 'https://my-app.example.com', 'https://.']) {
    expect([origin, isOriginAllowed(origin, urls)]).toEqual([origin, 'refused']);
  }
});
