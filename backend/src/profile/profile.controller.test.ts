import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { perProfileField, profileRows } from '@orange-id/contract/profile.fields';
import { profileAnswer } from '@orange-id/contract/profile.schema';
import { MailOutbox } from '../mail/mail.outbox.js';
import { mailTo } from '../testing/mailbox.js';
import { signUp } from '../testing/sign.up.js';
import { Answer, startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';

const knownFields = profileRows.map(({ sentAs }) => sentAs).join(', ');

describe('POST /api/v1/user/profile', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp();
  });
  afterAll(() => portal.close());

  const save = (token: string | undefined, body: unknown): Promise<Answer> =>
    portal.call('POST', '/api/v1/user/profile', { body, ...(token === undefined ? {} : { token }) });
  const user = async (token: string) => (await portal.call('GET', '/api/v1/auth/user', { token })).body;

  test('returns 200 with the profile and changes only the given fields', async () => {
    const { token, email } = await signUp(portal);
    const before = await user(token);
    const answer = await save(token, { displayName: 'Ada Lovelace' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      data: {
        picture: null,
        ...perProfileField('sentAs', () => null),
        displayName: 'Ada Lovelace',
        email,
        updatedAt: expect.any(String),
      },
    });
    expect(profileAnswer.parse(answer.body).displayName).toBe('Ada Lovelace');
    expect(new Date(answer.body.data.updatedAt).getTime()).toBeGreaterThan(
      new Date(before.updatedAt).getTime(),
    );

    const rest = { userName: 'ada', displayDesc: 'First line\nsecond 👩‍💻', country: 'Algeria' };
    expect((await save(token, rest)).body.data).toMatchObject({ ...rest, displayName: 'Ada Lovelace' });
    expect(await user(token)).toMatchObject({
      displayName: 'Ada Lovelace',
      name: 'Ada Lovelace',
      userName: 'ada',
      bio: 'First line\nsecond 👩‍💻',
      country: 'Algeria',
      email,
    });
  });

  test('names are stored as typed: composed (NFC), trimmed, single spaces', async () => {
    const { token } = await signUp(portal);
    const answer = await save(token, { displayName: '  Ａda™ \u00a0 Lovelace\u0301 علی‌رضا ' });
    expect(answer.body.data.displayName).toBe('Ａda™ Lovelacé علی‌رضا');
  });

  test('an empty username, bio or country clears it', async () => {
    const { token } = await signUp(portal);
    await save(token, { userName: 'soon-gone', displayDesc: 'text', country: 'Algeria' });
    const answer = await save(token, { userName: '', displayDesc: '', country: '' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ userName: null, displayDesc: null, country: null });
    // The name is free again, for others too.
    expect((await save((await signUp(portal)).token, { userName: 'soon-gone' })).status).toBe(200);
  });

  describe('the email address', () => {
    const verified = (userId: string) =>
      portal.db.query('update users set email_verified = true where id = $1', [userId]);

    test('concurrent changes never make another address count as confirmed', async () => {
      const { token, userId, email } = await signUp(portal);
      await verified(userId);
      await portal.db.query('update credentials set email_verified = true where user_id = $1', [userId]);
      const others = 'not.mine@example.com';
      expect((await save(token, { email: others })).status).toBe(200);
      const waiting = async () =>
        (
          await portal.db.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length;
      const answers: Promise<Answer>[] = [];
      await portal.db.transaction(async (manager) => {
        await manager.query('select from users where id = $1 for no key update', [userId]);
        for (const next of [email, others]) {
          answers.push(save(token, { email: next }));
          await until('it waits', async () => (await waiting()) >= answers.length);
        }
      });
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
      expect(await user(token)).toMatchObject({ email: others, emailVerified: false });
    });

    test('two users who swap their addresses at the same moment do not deadlock', async () => {
      const [ada, bob] = [await signUp(portal), await signUp(portal)];
      for (let round = 0; round < 5; round++) {
        const answers = await Promise.all([
          save(ada.token, { email: bob.email }),
          save(bob.token, { email: ada.email }),
        ]);
        for (const { status } of answers) expect([200, 409, 429]).toContain(status);
      }
    });

    test('a new address counts as unverified and is sent a link; the old one still signs in', async () => {
      const { token, userId, email } = await signUp(portal);
      await verified(userId);
      const answer = await save(token, { email: '  New.Address@EXAMPLE.com ' });
      expect(answer.status).toBe(200);
      expect(answer.body.data.email).toBe('New.Address@example.com');
      expect(await user(token)).toMatchObject({ email: 'New.Address@example.com', emailVerified: false });
      expect((await mailTo(portal, 'New.Address@example.com')).subject).toContain('Confirm');
      const login = (address: string) =>
        portal.call('POST', '/api/v1/auth/email/login', {
          body: { email: address, password: 'a long enough password' },
        });
      expect((await login('new.address@example.com')).status).toBe(401);
      expect((await login(email)).status).toBe(200);
    });

    test('one account can have emails sent to five addresses; the sixth is saved without an email', async () => {
      const { token } = await signUp(portal);
      for (let i = 0; i < 6; i++) {
        expect((await save(token, { email: `many-${i}@example.com` })).status).toBe(200);
      }
      expect(await user(token)).toMatchObject({ email: 'many-5@example.com', emailVerified: false });
      await mailTo(portal, 'many-4@example.com', 'Confirm');
      const mails = await portal.app.get(MailOutbox).list(500);
      expect(mails.filter(({ to }) => to === 'many-5@example.com')).toEqual([]);
    });

    test('returns 429 if one account tries address after address, taken or free', async () => {
      const { token, email } = await signUp(portal);
      const theirs = await signUp(portal);
      await verified(theirs.userId);
      for (let i = 0; i < 10; i++) expect((await save(token, { email: theirs.email })).status).toBe(409);
      for (const wanted of [theirs.email, 'free-for-all@example.com']) {
        const answer = await save(token, { email: wanted, displayName: 'Both or none' });
        expect([answer.status, answer.body.code]).toEqual([429, 'request.rateLimited']);
        expect(answer.body.message).toMatch(
          /^Too many attempts to change your email\. Try again in \d+ (seconds|minutes)$/,
        );
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect((await save(token, { email: email.toUpperCase(), displayName: 'Ada' })).status).toBe(200);
      expect(await user(token)).toMatchObject({ displayName: 'Ada' });
      expect((await save(theirs.token, { email: 'free-for-all@example.com' })).status).toBe(200);
    });

    test('returns 429 if many accounts of one client address change theirs', async () => {
      const strict = await startTestApp({ SIGN_IN_LIMIT_PER_ADDRESS: '4' });
      const people = [await signUp(strict), await signUp(strict)];
      const statuses = [];
      for (const [i, { token }] of [...people, ...people].entries()) {
        const body = { email: `nobody-has-it-${i}@example.com` };
        statuses.push((await strict.call('POST', '/api/v1/user/profile', { body, token })).status);
      }
      await strict.close();
      expect(statuses).toEqual([200, 200, 429, 429]);
    });

    test('the same address in different case stays verified', async () => {
      const { token, userId, email } = await signUp(portal);
      await verified(userId);
      await save(token, { email: email.toUpperCase() });
      expect((await user(token)).emailVerified).toBe(true);
    });

    test('returns 409 if another account has confirmed it, ignoring case, and nothing changes', async () => {
      const mine = await signUp(portal);
      const theirs = await signUp(portal);
      await verified(theirs.userId);
      const answer = await save(mine.token, {
        email: theirs.email.toUpperCase(),
        displayName: 'Both or none',
      });
      expect(answer.status).toBe(409);
      expect(answer.body).toEqual({
        statusCode: 409,
        message: 'Another account uses this email. Enter a different one',
        error: 'Conflict',
        code: 'profile.emailTaken',
      });
      expect(await user(mine.token)).toMatchObject({ email: mine.email, displayName: null });
    });
  });

  test('returns 409 for a taken username, ignoring case; of ten concurrent requests one gets it', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => signUp(portal)));
    const answers = await Promise.all(
      people.map(({ token }, i) => save(token, { userName: i % 2 === 0 ? 'Grace' : 'gRACE' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'profile.userNameTaken',
      message: 'Another account uses this username. Choose a different one',
    });
  });

  test('a user’s own username and email address are not taken', async () => {
    const { token, email } = await signUp(portal);
    await save(token, { userName: 'mine-already' });
    expect((await save(token, { userName: 'mine-already', email })).status).toBe(200);
  });

  test('a username from before the rule stays until it is changed', async () => {
    const { token, userId } = await signUp(portal);
    const before = `Ada ${userId.slice(-6)}!`;
    await portal.db.query('update users set user_name = $2 where id = $1', [userId, before]);
    expect((await save(token, { displayName: 'Ada' })).body.data.userName).toBe(before);
    expect((await save(token, { userName: `ada-${userId.slice(-6)}` })).status).toBe(200);
  });

  test('a user’s changes do not affect another user’s profile', async () => {
    const [mine, theirs] = [await signUp(portal), await signUp(portal)];
    await save(mine.token, { displayName: 'Mine', displayDesc: 'mine' });
    expect(await user(theirs.token)).toMatchObject({ displayName: null, bio: null, email: theirs.email });
  });

  test.each<[unknown, string]>([
    [{}, 'The body must include a field to change'],
    [
      { userId: '01890000-0000-7000-8000-000000000000', displayName: 'x' },
      `userId: isn’t a known field; known fields are ${knownFields}`,
    ],
    [{ id: 'x' }, `id: isn’t a known field; known fields are ${knownFields}`],
    [{ emailVerified: true }, `emailVerified: isn’t a known field; known fields are ${knownFields}`],
    [{ ethAddress: '0x1234' }, `ethAddress: isn’t a known field; known fields are ${knownFields}`],
    [
      { picture: 'https://evil.example/x.svg' },
      `picture: isn’t a known field; known fields are ${knownFields}`,
    ],
    [{ role: 'admin' }, `role: isn’t a known field; known fields are ${knownFields}`],
    [{ displayName: '   ' }, 'displayName: must not be empty (given "   ")'],
    [
      { displayName: 'x'.repeat(81) },
      `displayName: must have at most 80 characters (given "${'x'.repeat(60)}…", 81 characters)`,
    ],
    [
      { displayName: 'Ada\u202eecalevoL' },
      'displayName: must not contain invisible or control characters (given "Ada\\u{202e}ecalevoL")',
    ],
    [
      { displayName: 'Ada\u200bLovelace' },
      'displayName: must not contain invisible or control characters (given "Ada\\u{200b}Lovelace")',
    ],
    [
      { displayName: 'Ada\u0000' },
      'displayName: must not contain invisible or control characters (given "Ada\\u{0}")',
    ],
    [{ userName: 'x'.repeat(41) }, `userName: must have at most 40 characters (given "${'x'.repeat(41)}")`],
    [
      { userName: 'a\u2066b' },
      'userName: must not contain invisible or control characters (given "a\\u{2066}b")',
    ],
    [
      { userName: 'ada lovelace!' },
      'userName: must use only letters a–z, digits, dots, hyphens and underscores (given "ada lovelace!")',
    ],
    [
      { country: 'austria' },
      'country: must be one of the countries listed in Settings, or empty (given "austria")',
    ],
    [
      { displayDesc: 'x'.repeat(1001) },
      `displayDesc: must have at most 1000 characters (given "${'x'.repeat(60)}…", 1001 characters)`,
    ],
    [{ displayDesc: 'a\u0000b' }, 'displayDesc: must not contain control characters (given "a\\u{0}b")'],
    [{ email: 'nobody' }, 'email: must be an email like name@example.com (given "nobody")'],
    [
      { email: `${'a'.repeat(65)}@example.com` },
      `email: must have at most 64 characters before the @ (given "${'a'.repeat(60)}…", 77 characters)`,
    ],
    [{ email: '' }, 'email: must be an email like name@example.com (given "")'],
    [{ displayName: null }, 'displayName: must be text (given null)'],
    [{ displayName: { $ne: 1 } }, 'displayName: must be text (given an object)'],
    [[], 'The body must be an object with named fields'],
    ['text', 'The body must be an object with named fields'],
  ])('returns 400 for %j', async (body, message) => {
    const { token } = await signUp(portal);
    const before = await user(token);
    const answer = await save(token, body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('request.invalid');
    expect(answer.body.message).toBe(message);
    expect(await user(token)).toEqual(before);
  });

  test('returns 401 without a token and for an ended session', async () => {
    expect((await save(undefined, { displayName: 'x' })).status).toBe(401);
    const { token } = await signUp(portal);
    await portal.call('POST', '/api/v1/auth/logout', { token });
    expect((await save(token, { displayName: 'x' })).status).toBe(401);
  });
});
