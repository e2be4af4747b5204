import { expect, test } from '@jest/globals';
import { isPublicSuffix } from './public.suffix.js';
import { checkWhitelistUrl } from './whitelist.rule.js';

const verdictOf = (input: string) => {
  const verdict = checkWhitelistUrl(input, [], isPublicSuffix);
  return verdict.ok ? verdict.url : verdict.code;
};

test.each([
  ['https://*.preview.example.com', 'https://*.preview.example.com'],
  ['HTTPS://*.Preview.Example.com:8443/x', 'https://*.preview.example.com'],
  ['https://*.example.com.', 'https://*.example.com'],
  ['http://*.example.co.uk', 'http://*.example.co.uk'],
  ['https://*.my-team.vercel.app', 'https://*.my-team.vercel.app'],
  ['https://*.my_team.example.com', 'https://*.my_team.example.com'],
  ['https://*.bücher.example.com', 'https://*.xn--bcher-kva.example.com'],
  ['https://%2A.example.com', 'https://*.example.com'],

  // Anyone can register a name below these.
  ['https://*.com', 'wildcardSuffix'],
  ['https://*.co.uk', 'wildcardSuffix'],
  ['https://*.vercel.app', 'wildcardSuffix'],
  ['https://*.github.io', 'wildcardSuffix'],
  ['https://*.pages.dev', 'wildcardSuffix'],
  ['https://*.s3.amazonaws.com', 'wildcardSuffix'],
  ['https://*.рф', 'wildcardSuffix'],
  ['https://*.xn--p1ai', 'wildcardSuffix'],

  // A wildcard is the whole first label, and the only one.
  ['https://*', 'tooShort'],
  ['https://*.*.example.com', 'wildcardPlace'],
  ['https://app.*.example.com', 'wildcardPlace'],
  ['https://pr-*.example.com', 'wildcardPlace'],
  ['https://**.example.com', 'wildcardPlace'],
  ['https://*example.com', 'wildcardPlace'],
  ['https://example.*', 'wildcardPlace'],

  // What holds for a host holds below a wildcard.
  ['https://*.localhost', 'local'],
  ['https://*.shop.test', 'notPublic'],
  ['https://*.my_company.com', 'notPublic'],
  ['https://user@*.example.com', 'credentials'],
  ['https://*.8.8.8.8', 'unparseable'],
  ['ftp://*.example.com', 'protocol'],
])('the verdict on %s is %s', (input, verdict) => expect(verdictOf(input)).toBe(verdict));
