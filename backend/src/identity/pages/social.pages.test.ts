import { expect, test } from '@jest/globals';
import { errorTable, type ErrorCode } from '@orange-id/contract/error.codes';
import type { AccountPreview } from '@orange-id/contract/identity.schema';
import { PortalError } from '../../http/portal.error.js';
import { noticeLines } from '../../testing/notice.lines.js';
import { confirmLink, noticeOf } from './social.pages.js';

const environment = { PUBLIC_URL: 'https://id.example.org', TENANT_ID: 'orange' };
const wallet = '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e';
const portal = 'https://portal.example.org';
const codes: ErrorCode[] = [
  ...(Object.keys(errorTable) as ErrorCode[]).filter((code) => code.startsWith('auth.')),
  ...(['request.invalid', 'server.failed', 'server.busy'] as const),
];

test.each(codes)('the pages for %s have the content of their snapshot', (code) => {
  const error = new PortalError(code);
  const attempt = { provider: 'google', isLink: false, portal } as const;
  const notices = [
    noticeOf(error, attempt, environment),
    noticeOf(error, { ...attempt, provider: 'apple', isLink: true }, environment),
    noticeOf(error, { ...attempt, isProof: true }, environment),
  ];
  expect(notices.map((notice) => noticeLines(notice).join(' ')).join('\n')).toMatchSnapshot();
});

test.each<[string, AccountPreview]>([
  ['an email', { identifiers: [{ provider: 'email', label: 'ada@example.com' }], createdAt: null }],
  ['a wallet', { identifiers: [{ provider: 'wallet', label: wallet }], createdAt: null }],
  [
    'several methods',
    {
      identifiers: [
        { provider: 'email', label: null },
        { provider: 'google', label: null },
        { provider: 'apple', label: null },
        { provider: 'apple', label: 'ada@example.org' },
      ],
      createdAt: null,
    },
  ],
  ['nothing confirmed', { identifiers: [], createdAt: null }],
  ['nothing confirmed, with its date', { identifiers: [], createdAt: '2026-03-04T12:00:00.000Z' }],
])(
  'the page before a provider is connected to an account with %s has the content of its snapshot',
  (_, account) => {
    const attempt = { provider: 'google', isLink: true, portal } as const;
    const notice = confirmLink(attempt, { account, action: '/continue', flow: 'flow', csrf: 'csrf' });
    expect(notice.form).toMatchObject({ action: '/continue', hidden: { csrf: 'csrf', flow: 'flow' } });
    expect(noticeLines(notice).join('\n')).toMatchSnapshot();
  },
);
