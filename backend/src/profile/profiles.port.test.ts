import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { perProfileField, profileRows } from '@orange-id/contract/profile.fields';
import { pictureAnswer, profileAnswer } from '@orange-id/contract/profile.schema';
import { HostedIdentity, json, startHostedIdentity } from '../testing/hosted.identity.js';
import { dumpOf, keepLog } from '../testing/leaks.js';
import { pictureOf, upload } from '../testing/pictures.js';
import { signUp } from '../testing/sign.up.js';
import { Answer, freePort, startTestApp, TestApp } from '../testing/test.app.js';
import { type ServiceStage, stageOf, startEmbedded } from '../testing/two.portals.js';
import { fromPageOf } from '../testing/two.portals.js';
import { until } from '../testing/until.js';

const key = 'profile-service-canary-key';
const path = '/api/v1/user/profile';

async function startRemote(): Promise<ServiceStage> {
  const port = await freePort();
  const service = await startTestApp({ IDENTITY_CALLBACKS: `http://localhost:${port}/auth/callback` });
  const portal = await startTestApp({
    PORT: String(port),
    IDENTITY_URL: service.url,
    PROFILE_SERVICE_URL: service.url,
    PROFILE_SERVICE_KEY: key,
  });
  return stageOf(portal, service);
}

describe.each([
  ['the embedded profile service', startEmbedded],
  ['a portal whose profile service is another instance', startRemote],
])('%s', (_, start) => {
  let stage: ServiceStage;
  let portal: TestApp;
  let service: TestApp;
  let png: Buffer;
  beforeAll(async () => {
    stage = await start();
    ({ portal, service } = stage);
    png = await pictureOf(30, 30).png().toBuffer();
  }, 30_000);
  afterAll(() => stage.close());

  const save = (token: string | undefined, body: unknown): Promise<Answer> =>
    portal.call('POST', path, { body, ...(token === undefined ? {} : { token }) });
  const user = async (token: string) => (await service.call('GET', '/api/v1/auth/user', { token })).body;

  test('the configuration tells the browser to save the profile at the portal', async () => {
    const { identity } = (await portal.call('GET', '/api/config')).body;
    expect(identity.profileUrl ?? identity.baseUrl).toBe(portal.environment.PUBLIC_URL);
  });

  test('returns 200 with the whole profile, wrapped in data, and the user has the changed fields', async () => {
    const { token, email } = await signUp(fromPageOf(portal.url, service));
    const answer = await save(token, { displayName: 'Ada', displayDesc: 'bio 👩‍💻', country: 'Algeria' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(profileAnswer.parse(answer.body)).toEqual({
      picture: null,
      ...perProfileField('sentAs', () => null),
      displayName: 'Ada',
      displayDesc: 'bio 👩‍💻',
      country: 'Algeria',
      email,
      updatedAt: expect.any(String),
    });
    expect(await user(token)).toMatchObject({ displayName: 'Ada', bio: 'bio 👩‍💻', country: 'Algeria', email });
    expect((await save(token, { country: '' })).body.data.country).toBeNull();
  });

  test('every field is stored, returned and shown under its name, and empty text clears it', async () => {
    const { token } = await signUp(fromPageOf(portal.url, service));
    const examples = { text: 'some-text', multiline: 'a\nb', country: 'Chile', email: 'next@example.com' };
    const sent = perProfileField('sentAs', ({ kind }) => examples[kind]);
    expect((await save(token, sent)).body.data).toMatchObject(sent);
    expect(await user(token)).toMatchObject(perProfileField('storedAs', ({ kind }) => examples[kind]));
    const clearable = profileRows.filter(({ isKept }) => !isKept);
    const cleared = await save(token, Object.fromEntries(clearable.map(({ sentAs }) => [sentAs, ''])));
    const shown = await user(token);
    for (const { sentAs, storedAs } of clearable)
      expect([sentAs, cleared.body.data[sentAs], shown[storedAs]]).toEqual([sentAs, null, null]);
  });

  test('refusals keep their status, code, message and fields', async () => {
    const [mine, theirs] = [
      await signUp(fromPageOf(portal.url, service)),
      await signUp(fromPageOf(portal.url, service)),
    ];
    await save(theirs.token, { userName: `taken-${theirs.userId.slice(-6)}` });
    const taken = await save(mine.token, { userName: `taken-${theirs.userId.slice(-6)}` });
    expect(taken.body).toEqual({
      statusCode: 409,
      message: 'Another account uses this username. Choose a different one',
      error: 'Conflict',
      code: 'profile.userNameTaken',
    });
    await service.db.query('update users set email_verified = true where id = $1', [theirs.userId]);
    expect((await save(mine.token, { email: theirs.email })).body).toMatchObject({
      statusCode: 409,
      code: 'profile.emailTaken',
    });
    const invalid = await save(mine.token, { displayName: 'x'.repeat(81) });
    expect([invalid.status, invalid.body.details[0].path]).toEqual([400, 'displayName']);
    expect((await save(mine.token, { role: 'admin' })).body.code).toBe('request.invalid');
  });

  test('a confirmed address can be replaced only on pages of the portal that keeps the account', async () => {
    const { token, userId } = await signUp(fromPageOf(portal.url, service));
    await service.db.query('update users set email_verified = true where id = $1', [userId]);
    const answer = await save(token, { email: 'replaced@example.com' });
    expect([answer.status, answer.body.code]).toEqual(
      portal === service ? [200, undefined] : [401, 'auth.tokenForeign'],
    );
  });

  test('a photo is accepted, named and served; another file is refused', async () => {
    const { token } = await signUp(fromPageOf(portal.url, service));
    const answer = await upload(portal, token, png);
    expect(answer.status).toBe(200);
    const { picture } = pictureAnswer.parse(answer.body);
    expect((await user(token)).picture).toBe(picture);
    expect((await fetch(picture)).headers.get('content-type')).toBe('image/webp');
    const refused = await upload(portal, token, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    expect([refused.status, refused.body.code]).toEqual([415, 'profile.pictureInvalid']);
    const large = await upload(portal, token, Buffer.alloc(1_048_576));
    expect([large.status, large.body.code]).toEqual([413, 'profile.pictureTooLarge']);
    const damaged = await upload(portal, token, png.subarray(0, 40));
    expect([damaged.status, damaged.body.code]).toEqual([415, 'profile.pictureInvalid']);
  });

  test('returns 401 without a token and for an ended session', async () => {
    expect((await save(undefined, { displayName: 'x' })).status).toBe(401);
    const { token } = await signUp(fromPageOf(portal.url, service));
    await service.call('POST', '/api/v1/auth/logout', { token });
    expect((await save(token, { displayName: 'x' })).status).toBe(401);
    expect((await upload(portal, token, png)).status).toBe(401);
  });
});

describe('a hosted profile service beside the embedded identity service', () => {
  let hosted: HostedIdentity;
  let portal: TestApp;
  let png: Buffer;
  let answersNotFound: HostedIdentity['answer'];
  beforeAll(async () => {
    hosted = await startHostedIdentity();
    answersNotFound = hosted.answer;
    portal = await startTestApp({
      PROFILE_SERVICE_URL: hosted.url,
      PROFILE_SERVICE_KEY: key,
      LOG_LEVEL: 'debug',
    });
    png = await pictureOf(30, 30).png().toBuffer();
  });
  /** Whether the tables are empty; no if work in the background held one of them, which PostgreSQL calls a deadlock. */
  const emptied = async (): Promise<boolean> => {
    try {
      await portal.db.query('truncate users cascade');
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === '40P01') return false;
      throw error;
    }
  };
  beforeEach(async () => {
    hosted.answer = answersNotFound;
    hosted.asked.length = 0;
    // Frees every name and address that the next test uses.
    await until('no background work uses the tables', emptied);
    keepLog();
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => {
    await portal.close();
    await hosted.stop();
  });

  const save = (token: string, body: unknown) => portal.call('POST', path, { body, token });
  const user = async (token: string) => (await portal.call('GET', '/api/v1/auth/user', { token })).body;
  const profileOf = (more: object) => ({
    picture: null,
    displayName: null,
    userName: null,
    displayDesc: null,
    country: null,
    email: null,
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...more,
  });

  test('gets one request, with its key and the caller’s bearer token, for the changed fields only', async () => {
    const { token } = await signUp(portal);
    let body = '';
    hosted.answer = (request, response) => {
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => json({ data: profileOf({ displayName: 'Ada' }) })(request, response));
    };
    expect((await save(token, { displayName: ' Ada ' })).status).toBe(200);
    expect(hosted.asked).toEqual([
      {
        line: `POST ${path}`,
        headers: expect.objectContaining({
          Authorization: `Bearer ${token}`,
          'Ocp-Apim-Subscription-Key': key,
          'Content-Type': 'application/json',
        }),
      },
    ]);
    expect(JSON.parse(body)).toEqual({ displayName: 'Ada' });
  });

  test.each([
    ['plainly', (profile: object) => profile],
    ['within data', (profile: object) => ({ data: profile })],
  ])('the portal shows the values that it returns, %s, from then on', async (_, wrapped) => {
    const { token, email } = await signUp(portal);
    await portal.db.query(`update users set bio = 'kept here' where issuer = 'embedded'`);
    hosted.answer = json(
      wrapped(
        profileOf({ displayName: 'As it says', userName: 'ada', picture: '/p/1.png', country: 'Chile' }),
      ),
    );
    const answer = await save(token, { displayName: 'Ada' });
    expect(answer.body.data).toMatchObject({ displayName: 'As it says', picture: `${hosted.url}/p/1.png` });
    expect(await user(token)).toMatchObject({
      displayName: 'As it says',
      userName: 'ada',
      country: 'Chile',
      picture: `${hosted.url}/p/1.png`,
      // The service was not asked to clear these.
      bio: 'kept here',
      email,
    });
  });

  test('a field that it was asked to clear is cleared here too', async () => {
    const { token } = await signUp(portal);
    await portal.db.query(`update users set country = 'Chile', user_name = 'ada' where issuer = 'embedded'`);
    hosted.answer = json(profileOf({}));
    expect((await save(token, { country: '', userName: '' })).body.data).toMatchObject({
      country: null,
      userName: null,
    });
    expect(await user(token)).toMatchObject({ country: null, userName: null });
  });

  test.each([
    ['what it leaves out', { updatedAt: '2026-01-01' }],
    ['what it returns as null', profileOf({})],
  ])('%s: the response and the portal show the sent value, or else the known one', async (_, profile) => {
    const { token, email } = await signUp(portal);
    await portal.db.query(`update users set country = 'Chile' where issuer = 'embedded'`);
    hosted.answer = json({ data: profile });
    const sent = { displayName: 'Ada', email, country: 'Chile' };
    expect((await save(token, { displayName: 'Ada' })).body.data).toMatchObject(sent);
    expect(await user(token)).toMatchObject(sent);
    expect((await save(token, { country: '' })).body.data).toMatchObject({ ...sent, country: null });
    expect(await user(token)).toMatchObject({ ...sent, country: null });
  });

  test('an email address counts as unverified here, and one that another account has confirmed is not stored', async () => {
    const [mine, theirs] = [await signUp(portal), await signUp(portal)];
    await portal.db.query('update users set email_verified = true where id = any($1)', [
      [mine.userId, theirs.userId],
    ]);
    hosted.answer = json(profileOf({ email: 'new@example.com' }));
    expect((await save(mine.token, { email: 'new@example.com' })).status).toBe(200);
    expect(await user(mine.token)).toMatchObject({ email: 'new@example.com', emailVerified: false });
    hosted.answer = json(profileOf({ email: theirs.email, displayName: 'Both' }));
    const answer = await save(mine.token, { email: theirs.email, displayName: 'Both' });
    expect(answer.status).toBe(200);
    expect(await user(mine.token)).toMatchObject({ email: 'new@example.com', displayName: 'Both' });
    // An address that its owner did not enter here is not stored.
    hosted.answer = json(profileOf({ email: 'other@example.com' }));
    await save(mine.token, { displayName: 'x' });
    expect((await user(mine.token)).email).toBe('new@example.com');
  });

  test('a username that another account has here is not stored; the other values are, and the log says so', async () => {
    const [mine, theirs] = [await signUp(portal), await signUp(portal)];
    await portal.db.query(`update users set user_name = 'ada', email_verified = true where id = $1`, [
      theirs.userId,
    ]);
    const log = keepLog();
    hosted.answer = json(profileOf({ userName: 'Ada', displayName: 'Both', email: theirs.email }));
    const answer = await save(mine.token, { userName: 'Ada', displayName: 'Both', email: theirs.email });
    expect(answer.status).toBe(200);
    const { email } = mine;
    expect(await user(mine.token)).toMatchObject({ userName: null, displayName: 'Both', email });
    expect(await user(theirs.token)).toMatchObject({ userName: 'ada' });
    for (const field of ['username', 'email'])
      expect(log.text).toContain(
        `The new ${field} of ${mine.userId} wasn’t stored: another account here already has it`,
      );
  });

  test('a change that fails here for another reason is tried once', async () => {
    const { token } = await signUp(portal);
    hosted.answer = json(profileOf({ userName: 'ada' }));
    const failing = jest.spyOn(portal.db, 'transaction').mockRejectedValueOnce(new Error('no disk'));
    expect((await save(token, { userName: 'ada' })).status).toBe(500);
    expect(failing).toHaveBeenCalledTimes(1);
    expect((await user(token)).userName).toBeNull();
  });

  test('a photo is forwarded unchanged, with its name and true type; the upload that it replaces is removed', async () => {
    const { token } = await signUp(portal);
    let form = Buffer.alloc(0);
    hosted.answer = (request, response) => {
      request.on('data', (chunk) => (form = Buffer.concat([form, chunk])));
      request.on('end', () =>
        json({ data: { profilePicture: 'https://cdn.example.com/1.jpg' } })(request, response),
      );
    };
    const answer = await upload(portal, token, png, { filename: 'default-avatar.jpg', type: 'image/jpeg' });
    expect(answer.body).toEqual({ data: { picture: 'https://cdn.example.com/1.jpg' } });
    expect((await user(token)).picture).toBe('https://cdn.example.com/1.jpg');
    expect(form.includes(png)).toBe(true);
    expect(form.toString('latin1')).toContain(
      'name="file"; filename="default-avatar.jpg"\r\nContent-Type: image/png',
    );
    await upload(portal, token, png, { filename: '图片".png' });
    expect(form.toString('latin1')).toContain('filename="picture.png"');
  });

  test.each([
    [401, 'auth.tokenInvalid'],
    [403, 'profile.refused'],
    [400, 'request.invalid'],
    [422, 'request.invalid'],
    [409, 'profile.emailTaken'],
    [429, 'request.rateLimited'],
  ])('%i passes through as %s', async (status, code) => {
    const { token } = await signUp(portal);
    const before = await user(token);
    hosted.answer = json({ message: 'In its words\u0000\n' }, status);
    const answer = await save(token, { email: 'new@example.com' });
    expect(answer.body.code).toBe(code);
    expect(answer.status).toBe(status === 422 ? 400 : status);
    expect(answer.body.message).toBe(
      status === 401
        ? 'The access token isn’t valid or has expired. Refresh it or sign in again'
        : 'In its words',
    );
    expect(await user(token)).toEqual(before);
  });

  test.each<[string, HostedIdentity['answer']]>([
    ['404', json({}, 404)],
    ['500', json({ message: 'a stack trace' }, 500)],
    ['a redirect', (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
    ['HTML', (_, response) => void response.writeHead(200).end('<!doctype html>')],
    ['an empty object', json({})],
    ['a list', json([profileOf({})])],
    ['a name that is an object', json(profileOf({ displayName: { $ne: null } }))],
    ['an endless name', json(profileOf({ displayName: 'x'.repeat(10_000) }))],
    ['a null byte', json(profileOf({ userName: 'a\0b' }))],
    ['a script for a picture', json(profileOf({ picture: 'javascript:alert(1)' }))],
    ['data for a picture', json(profileOf({ picture: 'data:image/svg+xml,<svg/>' }))],
    ['a closed connection', (request) => request.destroy()],
  ])('%s returns 503, never 401, and nothing changes here', async (_, answer) => {
    const { token } = await signUp(portal);
    const before = await user(token);
    hosted.answer = answer;
    for (const saved of [await save(token, { displayName: 'x' }), await upload(portal, token, png)]) {
      expect([saved.status, saved.body.code]).toEqual([503, 'profile.unavailable']);
      expect(saved.body.message).toBe('The profile service can’t be reached. Try again later');
    }
    expect(hosted.asked).toHaveLength(2);
    expect(await user(token)).toEqual(before);
    // A success keeps the circuit breaker closed: five failures in a row, over several of these rows, would open it.
    hosted.answer = json(profileOf({}));
    expect((await save(token, { displayName: 'x' })).status).toBe(200);
  });

  test('an outage returns 503 until it ends, then the change is saved', async () => {
    const { token } = await signUp(portal);
    await hosted.stop();
    expect((await save(token, { displayName: 'x' })).status).toBe(503);
    await hosted.start();
    hosted.answer = json(profileOf({ displayName: 'x' }));
    expect((await save(token, { displayName: 'x' })).status).toBe(200);
  });

  test('returns 401 without a token, and sends the service nothing', async () => {
    expect((await portal.call('POST', path, { body: { displayName: 'x' } })).status).toBe(401);
    expect((await upload(portal, undefined, png)).status).toBe(401);
    expect(hosted.asked).toEqual([]);
  });

  test('its key is in no response, no page, no log and not in the database', async () => {
    jest.restoreAllMocks();
    const log = keepLog();
    const { token } = await signUp(portal);
    const texts: string[] = [];
    for (const answer of [json(profileOf({})), json({ message: 'no' }, 403), json({}, 500), json({}, 404)]) {
      hosted.answer = answer;
      texts.push((await save(token, { displayName: 'x' })).text, (await upload(portal, token, png)).text);
    }
    texts.push((await portal.call('GET', '/api/config')).text, (await portal.call('GET', '/')).text);
    texts.push(await dumpOf(portal), await until('something is logged', () => log.text));
    expect(texts.filter((text) => text.includes(key))).toEqual([]);
    expect(log.text).toContain(hosted.url);
  });
});
