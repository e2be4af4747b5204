import { expect, test } from '@jest/globals';
import { HttpError } from '../http';
import { fieldRefusal, withProfile } from './update.profile';

test('the cached user takes the values of the response and keeps the others', () => {
  const user = { id: 'u1', email: null, displayName: null, ethAddress: '0xabc', bio: 'old' };
  const response = {
    picture: null,
    displayName: 'Ada',
    userName: null,
    displayDesc: 'new',
    country: null,
    email: 'ada@example.com',
    updatedAt: '2025-01-01T00:00:00.000Z',
  };
  expect(withProfile(user, { displayName: 'Ada' }, response)).toEqual({
    id: 'u1',
    ethAddress: '0xabc',
    displayName: 'Ada',
    bio: 'new',
    email: 'ada@example.com',
    emailVerified: false,
    updatedAt: '2025-01-01T00:00:00.000Z',
  });
});

test('a new email becomes unconfirmed; the same email in other letter case keeps its state', () => {
  const user = { id: 'u1', email: 'ada@example.com', displayName: 'Ada', emailVerified: true };
  const response = (email: string) => ({ email, updatedAt: '2025-01-01T00:00:00.000Z' });
  const pending = { ...user, emailVerified: false, confirmedEmail: 'old@example.com' };
  expect(
    withProfile(pending, { email: 'b@example.org' }, response('b@example.org')).confirmedEmail,
  ).toBeUndefined();
  const changed = withProfile(user, { email: 'a@example.org' }, response('a@example.org'));
  expect(changed).toMatchObject({ email: 'a@example.org', emailVerified: false });
  expect(withProfile(user, { email: 'Ada@example.com' }, response('Ada@example.com')).emailVerified).toBe(
    true,
  );
  expect(withProfile(user, { displayName: 'Grace' }, { displayName: 'Grace' }).emailVerified).toBe(true);
});

test('a field missing from a hosted service’s response keeps the sent value, otherwise the cached one', () => {
  const user = { id: 'u1', email: 'ada@example.com', displayName: 'Ada', bio: 'old', country: 'Chile' };
  expect(withProfile(user, { displayDesc: 'new' }, { updatedAt: '2025-01-01T00:00:00.000Z' })).toEqual({
    ...user,
    bio: 'new',
    updatedAt: '2025-01-01T00:00:00.000Z',
  });
  expect(withProfile(user, { displayName: 'Grace' }, { displayName: null, email: null })).toEqual({
    ...user,
    displayName: 'Grace',
  });
  expect(withProfile(user, { country: '' }, { displayName: 'Ada L.', country: null })).toEqual({
    ...user,
    country: null,
    displayName: 'Ada L.',
  });
});

test.each([
  [409, { message: 'Another account uses this email' }, 'Another account uses this email'],
  [
    400,
    { message: 'The request isn’t valid', details: [{ path: 'email', message: 'must be an e-mail' }] },
    'must be an e-mail',
  ],
  [
    400,
    { message: 'The request isn’t valid', details: [{ path: 'other', message: 'x' }] },
    'The request isn’t valid',
  ],
  [503, { message: 'The database is not reachable' }, null],
])('the response %i %j gives the email field the error %j', (status, body, refusal) => {
  expect(fieldRefusal(new HttpError(status, JSON.stringify(body)), 'email')).toBe(refusal);
});

test('a response that is not JSON sets no field error', () => {
  expect(fieldRefusal(new HttpError(400, '<html>'), 'email')).toBeNull();
});
