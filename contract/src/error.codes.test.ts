import { describe, expect, test } from '@jest/globals';
import { ErrorCode, errorBody, errorTable } from './error.codes.js';

const codes = Object.keys(errorTable) as ErrorCode[];

describe('error codes', () => {
  test.each(codes)('%s has a 4xx or 5xx status, a reason and a sentence', (code) => {
    const body = errorBody(code);
    expect(body.code).toBe(code);
    expect(Number.isInteger(body.statusCode)).toBe(true);
    expect(body.statusCode).toBeGreaterThanOrEqual(400);
    expect(body.statusCode).toBeLessThan(600);
    expect(body.error).toMatch(/^[A-Z]/);
    expect(body.error).not.toBe('Error');
    expect(body.message.length).toBeGreaterThan(10);
    expect(Object.keys(body)).toEqual(['statusCode', 'message', 'error', 'code']);
  });

  test('texts that clients match have not changed', () => {
    expect(errorTable['project.nameTaken'].status).toBe(400);
    expect(errorTable['project.nameTaken'].message).toContain('already exists');
    expect(errorTable['key.invalid']).toEqual({ status: 401, message: 'Invalid API key' });
    expect(errorTable['key.missing']).toEqual({ status: 401, message: 'API key is required' });
    expect(errorTable['wallet.addressInvalid']).toEqual({ status: 400, message: 'Address is invalid.' });
    expect(errorTable['auth.required']).toEqual({ status: 401, message: 'Not authenticated' });
    expect(errorTable['keys.notFound'].status).toBe(404);
    expect(errorTable['project.notFound'].status).toBe(404);
    expect(errorTable['key.originRefused'].status).toBe(403);
    expect(errorTable['request.rateLimited'].status).toBe(429);
  });

  /** Their messages are part of the specification, or name only the rule; each refusal has details with the way out. */
  const withDetails: ErrorCode[] = ['key.missing', 'key.invalid', 'wallet.addressInvalid', 'request.invalid'];
  const ofCalls = codes.filter((code) =>
    /^(request|route|service|key|wallet|token|price|chain|server)\.|^usage\.(quotaReached|notRecorded|outcomeUnknown)$/.test(
      code,
    ),
  );
  test.each(ofCalls.filter((code) => !withDetails.includes(code)))(
    'the refusal %s of a metered call says what to change, or when to try again',
    (code) => {
      const { message } = errorTable[code];
      expect(message).toMatch(/(?:^|\. )(?:Add|Call|Check|It resets at|Send|Try again|Use) ?/);
      expect(message).not.toMatch(/\.$/);
    },
  );

  test('a given message and details replace the default ones', () => {
    expect(errorBody('project.urlInvalid', 'why', [{ path: 'whitelistURL.0', message: 'why' }])).toEqual({
      statusCode: 400,
      message: 'why',
      error: 'Bad Request',
      code: 'project.urlInvalid',
      details: [{ path: 'whitelistURL.0', message: 'why' }],
    });
  });
});
