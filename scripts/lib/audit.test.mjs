import { expect, test } from '@jest/globals';
import { verdictOf } from './audit.mjs';

const finding = (name, severity, id) => ({
  source: 1,
  name,
  title: `A hole in ${name}`,
  url: `https://github.com/advisories/${id}`,
  severity,
});
const report = {
  vulnerabilities: {
    deep: { severity: 'high', via: [finding('deep', 'high', 'GHSA-1'), finding('deep', 'low', 'GHSA-2')] },
    outer: { severity: 'high', via: ['deep'] },
    worst: { severity: 'critical', via: [finding('worst', 'critical', 'GHSA-3')] },
    mild: { severity: 'moderate', via: [finding('mild', 'moderate', 'GHSA-4')] },
  },
};
const idsOf = (verdict) => verdict.open.map(({ id }) => id);

test('the audit lists each finding of high severity and above once', () => {
  expect(idsOf(verdictOf(report, [], '2026-01-01'))).toEqual(['GHSA-1', 'GHSA-3']);
  expect(verdictOf({ vulnerabilities: {} }, [], '2026-01-01')).toEqual({
    unanswered: null,
    open: [],
    stale: [],
  });
});

test('an allowed finding passes the audit until its end date and fails it afterwards', () => {
  const allowed = [{ id: 'GHSA-1', reason: 'never reached', until: '2026-03-31' }];
  expect(idsOf(verdictOf(report, allowed, '2026-03-31'))).toEqual(['GHSA-3']);
  expect(idsOf(verdictOf(report, allowed, '2026-04-01'))).toEqual(['GHSA-1', 'GHSA-3']);
  expect(verdictOf({ vulnerabilities: {} }, allowed, '2026-01-01').stale).toEqual(allowed);
});

test('an audit that the registry does not answer is not clean and states the reason', () => {
  const refused = { message: '405 Method Not Allowed', statusCode: 405, error: { summary: '', detail: '' } };
  expect(verdictOf(refused, [], '2026-01-01').unanswered).toBe('status 405');
  expect(verdictOf({ error: { code: 'ENOTFOUND' } }, [], '2026-01-01').unanswered).toBe('ENOTFOUND');
  expect(verdictOf(null, [], '2026-01-01').unanswered).toBe('no answer');
});
