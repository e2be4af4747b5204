import { describe, expect, test } from '@jest/globals';
import { checkNewUrl } from '@orange-id/contract/whitelist.rule';
import { MissingCredentialsError } from '../../api/projects/add.whitelist.urls';
import { NotAuthenticatedError } from '../../api/projects/create.project';
import { HttpError } from '../../api/http';
import { NoAnswerError } from '../../api/no.answer';
import { EmptyKeyError } from './dialog.errors';
import { additionFailure, keyFailure, noticeToast, urlSentence } from './project.text';

const refused = (status: number, message: string) =>
  new HttpError(status, JSON.stringify({ statusCode: status, message }));

test.each([
  ['', 'URL Required', 'Please enter a URL to whitelist.'],
  ['example.com', 'Invalid URL', 'Please enter a valid URL (e.g., https://example.com)'],
  ['ftp://example.com', 'Invalid URL', 'URL must use HTTP or HTTPS protocol (e.g., https://example.com)'],
  ['https://ab', 'Invalid URL', 'Please enter a valid domain name (e.g., https://example.com)'],
  ['http://mylocalhost.com', 'Invalid URL', 'Localhost URLs are not allowed for production projects'],
  ['http://127.0.0.1', 'Invalid URL', 'Localhost URLs are not allowed for production projects'],
  ['http://0.0.0.0:80', 'Invalid URL', 'Localhost URLs are not allowed for production projects'],
  ['https://10.0.0.1', 'Invalid URL', 'Please enter a valid domain name (e.g., https://example.com)'],
  [
    `https://example.com:${'9'.repeat(100)}`,
    'Invalid URL',
    `Remove “:${'9'.repeat(59)}…”: it isn’t a valid port. An allowed URL covers every port of its host.`,
  ],
  [
    'https://a:b@example.com',
    'Invalid URL',
    'Remove “a:b@”: an allowed URL can’t include a username or password.',
  ],
  ['https://a.example.org', 'Duplicate URL', 'This URL is already whitelisted for this project'],
])('the error of the URL %p is explained in the dialog and by the toast', (text, title, description) => {
  const verdict = checkNewUrl(text, ['https://a.example.org']);
  if (verdict.ok) throw new Error(`${text} was taken`);
  expect(noticeToast({ type: 'url.refused', code: verdict.code, text })).toEqual({
    tone: 'error',
    title,
    description,
  });
  expect(urlSentence(verdict.code, text)).toBe(description);
});

test('the toast names the added URL, with a note if it was normalised', () => {
  const url = 'https://a.example.org';
  expect(noticeToast({ type: 'url.added', url, isNormalized: false })).toEqual({
    tone: 'success',
    title: 'URL Added',
    description: url,
  });
  expect(noticeToast({ type: 'url.added', url, isNormalized: true }).description).toBe(
    'URL normalized to: https://a.example.org',
  );
});

describe('the toast of saving URLs', () => {
  test('saving URLs without a token reports missing credentials', () => {
    expect(additionFailure(new MissingCredentialsError())).toBe(
      'Missing authentication credentials or API configuration',
    );
  });
  test.each([
    [refused(409, 'This URL is there'), 'Failed to add whitelist URLs: 409 This URL is there'],
    [new HttpError(502, 'upstream'), 'Failed to add whitelist URLs: 502 upstream'],
    [new HttpError(503, '', 'Service Unavailable'), 'Failed to add whitelist URLs: 503 Service Unavailable'],
    [
      new TypeError('fetch failed'),
      'Failed to add whitelist URLs: The server couldn’t be reached. Check your connection and try again.',
    ],
  ])('a failed save shows the error "%s"', (error, description) => {
    expect(noticeToast({ type: 'saving.failed', error })).toEqual({
      tone: 'error',
      title: 'Error',
      description,
    });
  });
  test('saved URLs are reported', () => {
    expect(noticeToast({ type: 'urls.saved' })).toEqual({
      tone: 'success',
      title: 'Whitelist URLs added successfully',
    });
  });
});

describe('the toast of a key update', () => {
  test.each([
    [new NotAuthenticatedError(), 'Authentication Error', 'Please login to update API key'],
    [refused(401, 'no'), 'Authentication Error', 'Please login to update API key'],
    [refused(503, 'down'), 'Error', 'Failed to update API key. Please try again.'],
    [new NoAnswerError(), 'Error', 'Failed to update API key. Please try again.'],
    [new EmptyKeyError(), 'Error', 'No new API key received'],
  ])('a failed key update explains the error "%s"', (error, title, description) => {
    expect(noticeToast({ type: 'update.failed', error })).toEqual({ tone: 'error', title, description });
  });
  test('the dialog shows the server’s error in place of the toast’s advice, unless the user is signed out', () => {
    expect(keyFailure(refused(503, 'down'))).toBe(
      'Failed to update API key: The service is unavailable right now. Try again in a minute.',
    );
    expect(keyFailure(refused(401, 'no'))).toBe('Authentication Error: Please login to update API key');
    expect(keyFailure(new EmptyKeyError())).toBe('No new API key received');
  });
  test('a key update without a project reports that none is selected', () => {
    expect(noticeToast({ type: 'project.missing' }).description).toBe('No project selected');
  });
  test('the toast contains only the first 8 characters of the new key', () => {
    const { description } = noticeToast({ type: 'key.updated', key: 'oid_abcdSECRET' });
    expect(description).toContain('oid_abcd');
    expect(description).not.toContain('oid_abcdS');
  });
});
