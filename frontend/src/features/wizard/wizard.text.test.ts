import { expect, test } from '@jest/globals';
import type { NewUrlRefusal } from '@orange-id/contract/whitelist.rule';
import { HttpError } from '../../api/http';
import { noticeToast, profileFailureSentence, profileSentence } from './wizard.text';
import type { WizardNotice } from './wizard.types';

type Case = [WizardNotice, title: string, sentence: string];

const noDomain = 'Please enter a valid domain name (e.g., https://example.com)';

const urlRefusals: [NewUrlRefusal, title: string, sentence: string][] = [
  ['required', 'URL Required', 'Please enter a URL to whitelist.'],
  ['unparseable', 'Invalid URL', 'Invalid URL format. Please include the protocol (https://example.com)'],
  ['protocol', 'Invalid URL', 'URL must use HTTP or HTTPS protocol (e.g., https://example.com)'],
  ['tooShort', 'Invalid URL', noDomain],
  ['notPublic', 'Invalid URL', noDomain],
  ['local', 'Invalid URL', 'Localhost URLs are not allowed for production projects'],
  ['duplicate', 'Duplicate URL', 'This domain is already in your whitelist'],
  ['tooMany', 'Too Many URLs', 'A project can have at most 100 URLs.'],
];

const cases: Case[] = [
  [{ type: 'name.refused', code: 'required' }, 'Project Name Required', 'Please enter a project name.'],
  [
    { type: 'name.refused', code: 'tooLong' },
    'Invalid Project Name',
    'A project name can have at most 100 characters.',
  ],
  [
    { type: 'name.refused', code: 'invisible' },
    'Invalid Project Name',
    'A project name can’t contain invisible or control characters.',
  ],
  [
    { type: 'profile.refused', gaps: ['email', 'displayName'] },
    'Profile Information Required',
    'Please update your email and display name in Settings before creating a project. Missing: Email, Display Name.',
  ],
  [
    { type: 'profile.refused', gaps: ['displayName'] },
    'Profile Information Required',
    'Please update your email and display name in Settings before creating a project. Missing: Display Name.',
  ],
  [
    { type: 'profile.failed', error: new HttpError(503, '') },
    'Update Failed',
    'Failed to update profile: 503',
  ],
  [
    { type: 'profile.failed', error: new TypeError('Failed to fetch') },
    'Update Failed',
    'Failed to update profile. The server couldn’t be reached. Check your connection and try again.',
  ],
  ...urlRefusals.map(([code, title, sentence]): Case => [
    { type: 'url.refused', code, text: '' },
    title,
    sentence,
  ]),
  [{ type: 'url.added', url: 'https://acme.example' }, 'URL Added', 'https://acme.example'],
  [{ type: 'urls.missing' }, 'Whitelist URL Required', 'Please add at least one URL to the whitelist.'],
  [
    { type: 'creation.failed', error: new HttpError(500, 'project already exists') },
    'Project Creation Failed',
    'Project name already taken',
  ],
  [
    { type: 'creation.failed', error: new HttpError(502, 'Bad gateway') },
    'Project Creation Failed',
    'Failed to create project: 502 - Bad gateway',
  ],
];

test.each(cases)('the notice %j becomes the toast %j: %j', (notice, title, description) => {
  expect(noticeToast(notice)).toMatchObject({ title, description });
});

test('leaving a step shows no toast', () => {
  expect(noticeToast({ type: 'step.left' })).toBeNull();
});

test.each([
  ['email', 'required', 'Please enter your email address.'],
  ['displayName', 'required', 'Please enter your display name.'],
  ['email', { phrase: 'must be an email like name@example.com' }, 'Enter an email like name@example.com.'],
  [
    'email',
    { phrase: 'must have at most 64 characters before the @' },
    'Email must have at most 64 characters before the @.',
  ],
  [
    'displayName',
    { phrase: 'must have at most 100 characters' },
    'Display Name must have at most 100 characters.',
  ],
] as const)('an invalid %s with the error %j is explained as %j', (part, refusal, sentence) => {
  expect(profileSentence(part, refusal)).toBe(sentence);
});

test('a profile field shows the server’s error for that field, and nothing if the server gave none', () => {
  const taken = new HttpError(409, JSON.stringify({ message: 'This email belongs to another account' }));
  expect(profileFailureSentence('email', taken)).toBe('This email belongs to another account.');
  const refused = new HttpError(
    400,
    JSON.stringify({ message: 'x', details: [{ path: 'displayName', message: 'must not be empty' }] }),
  );
  expect(profileFailureSentence('displayName', refused)).toBe('Enter a display name.');
  expect(profileFailureSentence('email', new HttpError(503, ''))).toBeNull();
  expect(profileFailureSentence('email', new TypeError('Failed to fetch'))).toBeNull();
});
