import { expect, test } from '@jest/globals';
import { unusedKey } from '@orange-id/contract/saved.key.fixture';
import { render } from '@testing-library/react';
import { KeyTags } from './KeyFacts';

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

test.each([
  { name: 'a key without expiry and limit has no tags', change: {}, text: /^$/ },
  { name: 'a key that expires says when', change: { expiresAt: inMinutes(90) }, text: /^Expires in 1 h/ },
  { name: 'an expired key says so', change: { expiresAt: inMinutes(-1) }, text: /^Expired$/ },
  {
    name: 'a replaced key says when it ends',
    change: { expiresAt: inMinutes(90), replacedAt: inMinutes(-1) },
    text: /^Replaced, ends in 1 h/,
  },
  { name: 'a key limited to one call says so', change: { rateLimit: 1 }, text: /^1 call\/s$/ },
  { name: 'a limited key shows its limit', change: { rateLimit: 1200 }, text: /^1,200 calls\/s$/ },
])('$name', ({ change, text }) => {
  const { container } = render(<KeyTags saved={{ ...unusedKey, ...change }} />);
  expect(container.textContent).toMatch(text);
});
