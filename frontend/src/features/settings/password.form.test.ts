import { describe, expect, test } from '@jest/globals';
import { errorBody, errorTable, type ErrorCode } from '@orange-id/contract/error.codes';
import { HttpError } from '../../api/http';
import { problemsOf, refusalOf } from './password.form';

const good = { currentPassword: 'old password', password: 'new password', passwordConfirm: 'new password' };
const refusal = (code: ErrorCode, details?: { path: string; message: string }[]) =>
  new HttpError(errorTable[code].status, JSON.stringify(errorBody(code, undefined, details)));

describe('before sending', () => {
  test('a valid password change has no errors', () => {
    expect(problemsOf(good)).toEqual({});
  });

  test.each([
    [
      { currentPassword: '', password: '', passwordConfirm: '' },
      {
        currentPassword: 'Enter the current password.',
        password: 'Enter the new password.',
      },
    ],
    [{ ...good, passwordConfirm: '' }, { passwordConfirm: 'Enter the new password again.' }],
    [{ ...good, passwordConfirm: 'another one' }, { passwordConfirm: 'The passwords don’t match.' }],
    [
      { ...good, password: 'short', passwordConfirm: 'other' },
      {
        password: 'The new password must have at least 8 characters.',
        passwordConfirm: 'The passwords don’t match.',
      },
    ],
    [
      { ...good, password: 'x'.repeat(129), passwordConfirm: 'x'.repeat(129) },
      { password: 'The new password must have at most 128 characters.' },
    ],
  ])('the password change %j has its errors listed by field', (change, problems) => {
    expect(problemsOf(change)).toEqual(problems);
  });
});

describe('after a failed request', () => {
  test('a wrong current password shows its error at the field', () => {
    expect(refusalOf(refusal('auth.passwordWrong'))).toEqual({
      fields: { currentPassword: 'The current password is wrong.' },
      rest: null,
    });
  });

  test('a field that the server rejects shows the server’s error', () => {
    const error = refusal('request.invalid', [
      { path: 'password', message: 'must have at least 8 characters' },
    ]);
    expect(refusalOf(error)).toEqual({
      fields: { password: 'The new password must have at least 8 characters.' },
      rest: null,
    });
  });

  test('a password that is too common shows its error at the field', () => {
    const error = refusal('auth.passwordCommon', [
      { path: 'password', message: 'is too common. Choose one that is harder to guess' },
    ]);
    expect(refusalOf(error)).toEqual({
      fields: { password: 'The new password is too common. Choose one that is harder to guess.' },
      rest: null,
    });
  });

  test('any other error is shown above the form', () => {
    expect(refusalOf(refusal('request.rateLimited')).rest).toBe(
      `${errorTable['request.rateLimited'].message}.`,
    );
    expect(refusalOf(refusal('database.unavailable')).rest).toBe(
      'The database can’t be reached. Try again later.',
    );
    expect(refusalOf(refusal('auth.accountChanged')).rest).toBe(
      `${errorTable['auth.accountChanged'].message}.`,
    );
    expect(refusalOf(new HttpError(502, '', 'Bad Gateway')).rest).toMatch(/^The service is unavailable/);
    expect(refusalOf(new TypeError('Failed to fetch')).rest).toMatch(/couldn’t be reached/);
  });
});
