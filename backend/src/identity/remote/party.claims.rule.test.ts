import { describe, expect, test } from '@jest/globals';
import { requireNamed } from './party.claims.rule.js';

const us = { origin: 'https://portal.example.com', tenant: 'orange-1' };
const verdict = (claims: Record<string, unknown>): string => {
  try {
    requireNamed(claims, us);
    return 'accepted';
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`;
  }
};

describe('a token of a hosted identity service', () => {
  test.each([
    ['names no portal', {}],
    ['has claims that are null', { aud: null, azp: null, tenantId: null }],
    [
      'is for our tenant',
      { aud: 'orange-1', tenantId: 'orange-1', tenant_id: 'orange-1', tenant: 'orange-1' },
    ],
    ['is for our origin', { aud: us.origin, azp: us.origin }],
    ['names our tenant as its client', { azp: 'orange-1' }],
    ['is for us among others', { aud: ['https://api.example.com', 'orange-1'] }],
    [
      'has claims that the portal does not check',
      { iss: 'https://id.example.com', client: 'somebody', audience: 'somebody' },
    ],
  ])('that %s is accepted', (_, claims) => {
    expect(verdict(claims)).toBe('accepted');
  });

  test.each<[string, Record<string, unknown>]>([
    ['is for another audience', { aud: 'orange-2' }],
    ['is for other audiences', { aud: ['orange-2', 'https://other.example.com'] }],
    ['is for no audience', { aud: [] }],
    ['was made for another portal', { azp: 'https://other.example.com' }],
    ['was made for our host on another port', { azp: 'https://portal.example.com:444' }],
    ['was made for our host without encryption', { azp: 'http://portal.example.com' }],
    ['was made for a URL of ours instead of our origin', { azp: 'https://portal.example.com/' }],
    ['names another tenant', { tenantId: 'orange-2' }],
    ['names another tenant as tenant_id', { tenant_id: 'orange-2' }],
    ['names another tenant as tenant', { tenant: 'orange-2' }],
    ['names our origin as its tenant', { tenant: us.origin }],
    ['is for us, made for another', { aud: 'orange-1', azp: 'https://other.example.com' }],
    ['is made for us, for another tenant', { azp: us.origin, tenantId: 'orange-2' }],
    ['has an audience that is no name', { aud: 7 }],
    ['has a party that is no name', { azp: { origin: us.origin } }],
    ['has an empty party', { azp: '' }],
  ])('that %s is refused', (_, claims) => {
    expect(verdict(claims)).toMatch(
      /^auth\.tokenForeign: The access token was issued for .+, not for https:/,
    );
  });

  test('is refused with the name of its intended portal, shortened', () => {
    expect(verdict({ azp: 'https://other.example.com' })).toBe(
      'auth.tokenForeign: The access token was issued for https://other.example.com, not for https://portal.example.com',
    );
    expect(verdict({ aud: 'x'.repeat(5_000) }).length).toBeLessThan(400);
    expect(verdict({ aud: 'a\nb' })).toContain('for "a\\nb", not');
  });
});
