import { expect, test } from '@jest/globals';
import { errorBody } from '@orange-id/contract/error.codes';
import { LoginError, readRetryAfter, refusalOf, toLoginFailure } from './login.failure';

test('the error codes of the contract become failures that the panel has texts for', () => {
  const of = (...body: Parameters<typeof errorBody>) => {
    const answer = errorBody(...body);
    return refusalOf(answer.statusCode, answer);
  };
  expect(of('auth.credentialsInvalid').code).toBe('credentialsInvalid');
  expect(of('auth.emailTaken')).toMatchObject({ code: 'emailTaken', status: 409 });
  expect(of('request.rateLimited').code).toBe('rateLimited');
  expect(of('auth.mailNotConfigured').code).toBe('mailMissing');
  expect(of('auth.methodLinked').code).toBe('methodLinked');
  expect(of('auth.methodsLimitReached').code).toBe('methodsFull');
  expect(of('auth.tokenInvalid').code).toBe('sessionEnded');
  expect(of('auth.required').code).toBe('sessionEnded');
  expect(of('auth.walletUsed').code).toBe('walletUsed');
  expect(of('auth.nonceInvalid').code).toBe('requestExpired');
  expect(of('auth.messageInvalid')).toEqual({
    code: 'serviceRefused',
    status: 401,
    message: 'The signed message isn’t one this portal accepts',
  });
  expect(
    of('request.invalid', undefined, [{ path: 'email', message: 'must be an email like name@example.com' }]),
  ).toEqual({
    code: 'fieldsInvalid',
    status: 400,
    message: 'The request isn’t valid',
    fields: { email: 'must be an email like name@example.com' },
  });
});

test('a response without an error body becomes a failure with its status', () => {
  for (const body of [undefined, null, 'Bad Gateway', [], { message: 7 }]) {
    expect(refusalOf(502, body)).toEqual({
      code: 'serviceRefused',
      status: 502,
      message: 'It returned status 502. Try again in a minute.',
    });
  }
  expect(refusalOf(429, '<html>', 5)).toMatchObject({ code: 'rateLimited', retryAfterSeconds: 5 });
});

test('details of another shape are ignored, and the first message of a field counts', () => {
  const details = [
    null,
    { path: 1 },
    { path: 'email', message: 'first' },
    { path: 'email', message: 'second' },
  ];
  expect(refusalOf(400, { message: 'm', details }).fields).toEqual({ email: 'first' });
  expect(refusalOf(400, { message: 'm', details: 'none' }).code).toBe('serviceRefused');
});

test('Retry-After is read in both of its forms and never below zero', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(readRetryAfter('30', now)).toBe(30);
  expect(readRetryAfter('Thu, 01 Jan 2026 00:00:45 GMT', now)).toBe(45);
  expect(readRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  for (const header of [null, '', ' ', 'soon']) expect(readRetryAfter(header, now)).toBeUndefined();
});

test('a password that is too common is reported at its field', () => {
  const details = [{ path: 'password', message: 'is too common. Choose one that is harder to guess' }];
  expect(refusalOf(400, errorBody('auth.passwordCommon', undefined, details))).toMatchObject({
    code: 'fieldsInvalid',
    fields: { password: 'is too common. Choose one that is harder to guess' },
  });
});

test('an error other than LoginError is a defect, and its text is never shown', () => {
  expect(toLoginFailure(new Error('x is undefined'))).toEqual({ code: 'unexpected' });
  expect(toLoginFailure(new LoginError({ code: 'walletBusy' }))).toEqual({ code: 'walletBusy' });
});
