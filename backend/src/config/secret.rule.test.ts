import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnvironment } from './environment.js';

const root = join(__dirname, '../../..');
const problemOf = (secret: string): string | null => {
  try {
    parseEnvironment({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://portal.example.com',
      DATABASE_URL: 'postgres://portal@db/portal',
      PORTAL_SECRET: secret,
    });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

/** The values that the documents, the files of the image and the error messages give for the secret. */
function documentedSecrets(): string[] {
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`);
  const files = ['README.md', 'CONTRIBUTING.md', 'docker-compose.yml', 'Dockerfile', ...documents];
  const texts = [
    ...files.map((path) => readFileSync(join(root, path), 'utf8')),
    problemOf('') as string,
    problemOf('short') as string,
    problemOf('a'.repeat(40)) as string,
  ];
  return texts.flatMap((text) =>
    [...text.matchAll(/PORTAL_SECRET(?:_PREVIOUS)?["']?(?:=| *: *)(.+)/g)].flatMap(([, value = '']) => [
      value.trim(),
      value.replace(/^.*for example (?:\w+=)?/, '').replace(/\}$/, ''),
    ]),
  );
}

describe('PORTAL_SECRET in production', () => {
  test.each([
    ['one character', 'a'.repeat(40)],
    ['two characters', '5b'.repeat(32)],
    ['seven characters in any order', 'abcdefggfedcbaabacadaeafagbcbdbebfbg'],
    ['a repeated part', '0123456789abcdef'.repeat(2)],
    ['a repeated part that is cut off', 'correct horse battery correct horse battery corr'],
    ['the example', 'the output of: openssl rand -hex 32'],
    ['the command', '$(openssl rand -hex 32) and more of it'],
    ['its own name', 'this-is-the-PORTAL_SECRET-of-our-portal'],
    ['a placeholder', 'change-me-0123456789-abcdefghijklm'],
  ])('with %s is refused, without showing it', (_what, secret) => {
    const problem = problemOf(secret);
    expect(problem).toBe(
      'PORTAL_SECRET must be random in production, not repeated characters or an example (it is set, value not shown); for example PORTAL_SECRET=the output of: openssl rand -hex 32',
    );
  });

  test('every value for it in a document or an error message is refused', () => {
    const values = documentedSecrets();
    expect(values).toEqual(
      expect.arrayContaining([
        '$(openssl rand -hex 32)',
        'the output of openssl rand -hex 32',
        'the output of: openssl rand -hex 32',
      ]),
    );
    expect(values.filter((value) => problemOf(value) === null)).toEqual([]);
    // Also where the length alone does not refuse it.
    expect(
      values.filter((value) => /openssl/.test(value) && problemOf(value.padEnd(40, 'x')) === null),
    ).toEqual([]);
  });

  test.each(['hex', 'base64', 'base64url'] as const)('that is random, as %s, is accepted', (encoding) => {
    const secrets = Array.from({ length: 200 }, () => randomBytes(32).toString(encoding));
    expect(secrets.filter((secret) => problemOf(secret) !== null)).toEqual([]);
  });

  test('the previous secret may be one that is refused now, so that it can be replaced', () => {
    const environment = parseEnvironment({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://portal.example.com',
      DATABASE_URL: 'postgres://portal@db/portal',
      PORTAL_SECRET: randomBytes(32).toString('hex'),
      PORTAL_SECRET_PREVIOUS: 'a'.repeat(40),
    });
    expect(environment.PORTAL_SECRET_PREVIOUS).toBe('a'.repeat(40));
  });
});
