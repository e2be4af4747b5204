import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { signInMethodList } from '@orange-id/contract/identity.schema';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import { newId } from '../../database/new.id.js';
import { MailOutbox } from '../../mail/mail.outbox.js';
import { inBrowserOf } from '../../testing/browser.cookie.js';
import { mailTo } from '../../testing/mailbox.js';
import { SignedUp, signUp } from '../../testing/sign.up.js';
import { signedMessage } from '../../testing/signed.message.js';
import { Answer, startTestApp, TestApp } from '../../testing/test.app.js';
import { LinkedAccountsService } from './linked-accounts.service.js';

const password = 'a long enough password';
const newWallet = () => privateKeyToAccount(generatePrivateKey());
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

/** One account, signed in by some method. */
type Session = Pick<SignedUp, 'token' | 'refreshToken' | 'userId'>;

describe('sign-in methods', () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await startTestApp({ SIGN_IN_LIMIT_PER_ACCOUNT: '1000' });
  });
  afterAll(() => portal.close());

  const sessionOf = ({ body }: Answer): Session => ({
    token: body.token.accessToken,
    refreshToken: body.token.refreshToken,
    userId: body.user.id,
  });
  const walletSignIn = async (wallet: PrivateKeyAccount): Promise<Session> =>
    sessionOf(
      await portal.call('POST', '/api/v1/message/verify', { body: await signedMessage(portal, wallet) }),
    );
  const emailSignIn = (email: string, secret = password): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/email/login', { body: { email, password: secret } });
  const linkWallet = async ({ token }: Session, wallet: PrivateKeyAccount): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/identifier/wallet', {
      token,
      headers: await inBrowserOf(portal, token),
      body: await signedMessage(portal, wallet),
    });
  const linkEmail = async ({ token }: Session, email: string, more: object = {}): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/identifier/email', {
      token,
      headers: await inBrowserOf(portal, token),
      body: { email, password, passwordConfirm: password, ...more },
    });
  const list = async ({ token }: Session): Promise<Answer['body']> =>
    (await portal.call('GET', '/api/v1/auth/identifiers', { token })).body;
  const unlink = async ({ token }: Session, id: string): Promise<Answer> =>
    portal.call('DELETE', `/api/v1/auth/identifiers/${id}`, {
      token,
      headers: await inBrowserOf(portal, token),
    });
  const user = ({ token }: Session): Promise<Answer> => portal.call('GET', '/api/v1/auth/user', { token });
  const refresh = ({ refreshToken }: Session): Promise<Answer> =>
    portal.call('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
  const confirmationsTo = async (address: string) =>
    (await portal.app.get(MailOutbox).list(1000)).filter(
      ({ to, subject }) => to === address && subject.includes('Confirm'),
    );
  const freshAddress = () => `linked-${newId()}@example.com`;

  describe('GET /api/v1/auth/identifiers', () => {
    test('returns 200 with each method under the name its owner knows, oldest first, and nothing of other users', async () => {
      await signUp(portal);
      const owner = await signUp(portal);
      const wallet = newWallet();
      await linkWallet(owner, wallet);
      const manager = portal.db.manager;
      const methods = portal.app.get(LinkedAccountsService);
      await manager.transaction((m) => methods.link(m, owner.userId, 'google', newId(), 'ada@example.com'));
      await manager.transaction((m) => methods.link(m, owner.userId, 'apple', newId(), null));
      const answer = await portal.call('GET', '/api/v1/auth/identifiers', { token: owner.token });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(signInMethodList.parse(answer.body)).toEqual(answer.body);
      expect(answer.body).toMatchObject([
        { id: owner.userId, provider: 'email', label: owner.email, isVerified: false },
        { provider: 'wallet', label: wallet.address, isVerified: true },
        { provider: 'google', label: 'ada@example.com', isVerified: true },
        { provider: 'apple', label: 'Apple account', isVerified: true },
      ]);
    });

    test('marks a confirmed address as verified', async () => {
      const owner = await signUp(portal);
      await portal.db.query('update credentials set email_verified = true where user_id = $1', [
        owner.userId,
      ]);
      expect(await list(owner)).toMatchObject([{ provider: 'email', isVerified: true }]);
    });
  });

  describe('POST /api/v1/auth/identifier/wallet', () => {
    test('returns 200: the wallet signs in to the same account and becomes its address', async () => {
      const owner = await signUp(portal);
      const wallet = newWallet();
      const answer = await linkWallet(owner, wallet);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.body.user).toEqual({ id: owner.userId });
      expect((await user(sessionOf(answer))).body).toMatchObject({
        id: owner.userId,
        email: owner.email,
        ethAddress: wallet.address,
      });
      expect((await walletSignIn(wallet)).userId).toBe(owner.userId);
    });

    test('the returned tokens replace the old ones, which expire within an hour', async () => {
      const owner = await signUp(portal);
      const linked = sessionOf(await linkWallet(owner, newWallet()));
      for (const session of [owner, linked]) {
        expect((await user(session)).status).toBe(200);
        expect((await refresh(session)).status).toBe(200);
      }
      const rows = await portal.db.query(
        `select provider, expires_at < now() + interval '61 minutes' as "isFading",
                created_at = min(created_at) over () as "isAsOld"
         from refresh_tokens where user_id = $1 order by id`,
        [owner.userId],
      );
      expect(rows).toEqual([
        { provider: 'email', isFading: true, isAsOld: true },
        { provider: 'email', isFading: false, isAsOld: true },
      ]);
    });

    test('linking again with the previous tokens keeps the end of the session', async () => {
      const owner = await signUp(portal);
      const endsOf = (): Promise<{ at: string }[]> =>
        portal.db.query(
          `select extract(epoch from expires_at) as at from refresh_tokens where user_id = $1 order by id desc`,
          [owner.userId],
        );
      const [before] = await endsOf();
      await linkWallet(owner, newWallet());
      await linkWallet(owner, newWallet());
      const [last, ...faded] = await endsOf();
      expect(last).toEqual(before);
      expect(faded).toHaveLength(2);
      for (const { at } of faded) expect(Number(at)).toBeLessThan(Number(before?.at));
    });

    test('linking does not prolong a session', async () => {
      const owner = await signUp(portal);
      await portal.db.query(
        `update refresh_tokens set expires_at = now() + interval '10 minutes' where user_id = $1`,
        [owner.userId],
      );
      await linkWallet(owner, newWallet());
      const [{ isBounded }] = await portal.db.query(
        `select bool_and(expires_at <= now() + interval '10 minutes') as "isBounded"
         from refresh_tokens where user_id = $1`,
        [owner.userId],
      );
      expect(isBounded).toBe(true);
    });

    test('a second wallet is another method; the address stays that of the first', async () => {
      const owner = await signUp(portal);
      const [first, second] = [newWallet(), newWallet()];
      await linkWallet(owner, first);
      expect((await linkWallet(owner, second)).status).toBe(200);
      expect((await list(owner)).map(({ label }: { label: string }) => label)).toEqual([
        owner.email,
        first.address,
        second.address,
      ]);
      expect((await user(owner)).body.ethAddress).toBe(first.address);
    });

    test('returns 409 for a wallet of another user, who keeps it', async () => {
      const wallet = newWallet();
      const holder = await walletSignIn(wallet);
      const other = await signUp(portal);
      const answer = await linkWallet(other, wallet);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({
        code: 'auth.walletUsed',
        message:
          'This wallet is already linked to another account. Use a different one, or sign in to that account',
      });
      expect((await walletSignIn(wallet)).userId).toBe(holder.userId);
      expect((await user(other)).body.ethAddress).toBeNull();
      expect(await list(other)).toHaveLength(1);
    });

    test('returns 409 for a wallet that the account already has', async () => {
      const owner = await signUp(portal);
      const wallet = newWallet();
      await linkWallet(owner, wallet);
      const answer = await linkWallet(owner, wallet);
      expect(answer.status).toBe(409);
      expect(answer.body.code).toBe('auth.methodLinked');
      expect(await list(owner)).toHaveLength(2);
    });

    test('if ten users link a wallet while it signs in for the first time, it belongs to one account', async () => {
      const wallet = newWallet();
      const users = await Promise.all(upTo(10).map(() => signUp(portal)));
      const browsers = await Promise.all(users.map(({ token }) => inBrowserOf(portal, token)));
      const messages = await Promise.all(upTo(13).map(() => signedMessage(portal, wallet)));
      const answers = await Promise.all(
        messages.map((body, place) => {
          const token = users[place]?.token;
          return token === undefined
            ? portal.call('POST', '/api/v1/message/verify', { body })
            : portal.call('POST', '/api/v1/auth/identifier/wallet', {
                token,
                body,
                headers: browsers[place] as { cookie: string },
              });
        }),
      );
      const linked = answers.slice(0, 10);
      const winners = linked.filter(({ status }) => status === 200);
      const losers = linked.filter(({ status }) => status !== 200);
      expect(losers.map(({ body: { message } }) => message)).toEqual(
        losers.map(
          () =>
            'This wallet is already linked to another account. Use a different one, or sign in to that account',
        ),
      );
      const signedIn = answers.slice(10);
      expect(signedIn.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set([...winners, ...signedIn].map(({ body }) => body.user.id)).size).toBe(1);
      const rows = await portal.db.query('select user_id from linked_identities where subject = $1', [
        wallet.address,
      ]);
      expect(rows).toHaveLength(1);
    });

    test('if two users link the same wallet at the same time, one succeeds and the other gets the reason', async () => {
      for (let round = 0; round < 5; round++) {
        const wallet = newWallet();
        const users = [await signUp(portal), await signUp(portal)];
        const answers = await Promise.all(users.map((each) => linkWallet(each, wallet)));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
        expect(answers.find(({ status }) => status === 409)?.body.message).toBe(
          'This wallet is already linked to another account. Use a different one, or sign in to that account',
        );
      }
    });

    test('of 100 replays of one signed message exactly one links', async () => {
      const owner = await signUp(portal);
      const body = await signedMessage(portal, newWallet());
      const headers = await inBrowserOf(portal, owner.token);
      const answers = await Promise.all(
        upTo(100).map(() =>
          portal.call('POST', '/api/v1/auth/identifier/wallet', { token: owner.token, headers, body }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ body: { code } }) => code === 'auth.nonceInvalid')).toHaveLength(99);
    });

    test('returns 401 for a message that was already used to sign in, and sign-in refuses one that was used to link', async () => {
      const owner = await signUp(portal);
      const body = await signedMessage(portal, newWallet());
      expect((await portal.call('POST', '/api/v1/message/verify', { body })).status).toBe(200);
      const replayed = await portal.call('POST', '/api/v1/auth/identifier/wallet', {
        token: owner.token,
        headers: await inBrowserOf(portal, owner.token),
        body,
      });
      expect([replayed.status, replayed.body.code]).toEqual([401, 'auth.nonceInvalid']);
      const other = await signedMessage(portal, newWallet());
      await portal.call('POST', '/api/v1/auth/identifier/wallet', {
        token: owner.token,
        headers: await inBrowserOf(portal, owner.token),
        body: other,
      });
      const back = await portal.call('POST', '/api/v1/message/verify', { body: other });
      expect([back.status, back.body.code]).toEqual([401, 'auth.nonceInvalid']);
    });

    test('returns 401 for a message for another site or with another wallet’s signature, and links nothing', async () => {
      const owner = await signUp(portal);
      const headers = await inBrowserOf(portal, owner.token);
      const link = (body: object) =>
        portal.call('POST', '/api/v1/auth/identifier/wallet', { token: owner.token, headers, body });
      const [mine, theirs] = [
        await signedMessage(portal, newWallet()),
        await signedMessage(portal, newWallet()),
      ];
      const elsewhere = await link({ ...theirs, message: { ...theirs.message, domain: 'evil.example' } });
      expect([elsewhere.status, elsewhere.body.code]).toEqual([401, 'auth.messageInvalid']);
      const { status } = await link({ ...mine, signature: theirs.signature });
      // Only a node could say whether the address is a contract that accepts the signature, and this test has none.
      expect([401, 503]).toContain(status);
      expect(await list(owner)).toHaveLength(1);
    });

    test('returns 409 above the limit of methods per account', async () => {
      const owner = await signUp(portal);
      await portal.db.query(
        `insert into linked_identities (id, user_id, provider, subject)
         select gen_random_uuid(), $1::uuid, 'google', $1 || '-' || n from generate_series(1, $2) n`,
        [owner.userId, limits.signInMethodsPerUser - 1],
      );
      const answer = await linkWallet(owner, newWallet());
      expect([answer.status, answer.body.code]).toEqual([409, 'auth.methodsLimitReached']);
      expect(await list(owner)).toHaveLength(limits.signInMethodsPerUser);
    });
  });

  describe('POST /api/v1/auth/identifier/email', () => {
    test('returns 200: the account signs in with the address, which is unverified, and a link to confirm it is sent', async () => {
      const wallet = newWallet();
      const owner = await walletSignIn(wallet);
      const email = freshAddress();
      const answer = await linkEmail(owner, email);
      expect(answer.status).toBe(200);
      expect(answer.body.user).toEqual({ id: owner.userId });
      expect((await user(sessionOf(answer))).body).toMatchObject({
        id: owner.userId,
        email,
        emailVerified: false,
        ethAddress: wallet.address,
      });
      expect(await list(owner)).toMatchObject([
        { provider: 'wallet' },
        { provider: 'email', label: email, isVerified: false },
      ]);
      expect(await confirmationsTo(email)).toHaveLength(1);
      expect((await emailSignIn(email)).body.user.id).toBe(owner.userId);
      expect((await emailSignIn(email, 'another password')).status).toBe(401);
    });

    test('an address that the account has already confirmed needs no link', async () => {
      const owner = await walletSignIn(newWallet());
      const email = freshAddress();
      await portal.db.query('update users set email = $2, email_verified = true where id = $1', [
        owner.userId,
        email,
      ]);
      expect((await linkEmail(owner, email)).status).toBe(200);
      expect((await list(owner))[1]).toMatchObject({ label: email, isVerified: true });
      expect((await user(owner)).body.emailVerified).toBe(true);
      expect(await confirmationsTo(email)).toEqual([]);
    });

    test('the address of the profile stays unchanged', async () => {
      const owner = await walletSignIn(newWallet());
      const contact = freshAddress();
      await portal.db.query('update users set email = $2 where id = $1', [owner.userId, contact]);
      expect((await linkEmail(owner, freshAddress())).status).toBe(200);
      expect((await user(owner)).body.email).toBe(contact);
    });

    test('returns 409 for an address another user signs in with, in any spelling', async () => {
      const holder = await signUp(portal);
      const owner = await walletSignIn(newWallet());
      for (const email of [holder.email, holder.email.replace(/^user/, 'USER')]) {
        const answer = await linkEmail(owner, email);
        expect([answer.status, answer.body.code]).toEqual([409, 'auth.emailTaken']);
      }
      expect(await list(owner)).toHaveLength(1);
      expect((await user(owner)).body.email).toBeNull();
      expect((await emailSignIn(holder.email)).body.user.id).toBe(holder.userId);
    });

    test('returns 409 for an account with an email sign-in, which keeps its password', async () => {
      const owner = await signUp(portal);
      const answer = await linkEmail(owner, freshAddress(), {
        password: 'quite another one',
        passwordConfirm: 'quite another one',
      });
      expect([answer.status, answer.body.code]).toEqual([409, 'auth.methodLinked']);
      expect((await emailSignIn(owner.email)).status).toBe(200);
    });

    test('registering, linking and unlinking in turn sends one mailbox at most five emails, and still succeeds', async () => {
      const email = freshAddress();
      const register = () =>
        portal.call('POST', '/api/v1/auth/email/register', {
          body: { email, password, passwordConfirm: password },
        });
      for (let i = 0; i < limits.mailsPerAddressPerHour; i++) {
        const account = sessionOf(await register());
        const linked = sessionOf(await linkWallet(account, newWallet()));
        expect((await unlink(linked, linked.userId)).status).toBe(204);
      }
      const other = await walletSignIn(newWallet());
      expect((await linkEmail(other, email)).status).toBe(200);
      expect(await confirmationsTo(email)).toHaveLength(limits.mailsPerAddressPerHour);
      expect((await emailSignIn(email)).body.user.id).toBe(other.userId);
    });

    test('confirmations, sent or refused, do not keep the owner of an address from a reset', async () => {
      const victim = await signUp(portal);
      const stranger = await signUp(portal);
      for (let i = 0; i <= limits.mailsPerAddressPerHour; i++) {
        expect((await linkEmail(stranger, victim.email)).status).toBe(409);
      }
      const again = () => portal.call('POST', '/api/v1/auth/email/confirm/again', { token: victim.token });
      // The refused requests do not count: the registration used one email, which leaves four.
      for (let i = 1; i < limits.mailsPerAddressPerHour; i++) expect((await again()).status).toBe(200);
      expect((await again()).status).toBe(429);
      const reset = await portal.call('POST', '/api/v1/auth/email/reset', { body: { email: victim.email } });
      expect(reset.status).toBe(200);
      await mailTo(portal, victim.email, 'Reset your password');
    });

    test('five accounts request one address at once: one gets it', async () => {
      const email = freshAddress();
      const owners = await Promise.all(upTo(5).map(() => walletSignIn(newWallet())));
      const answers = await Promise.all(owners.map((each) => linkEmail(each, email)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    });

    test('one account requests five addresses at once: one is added', async () => {
      const owner = await walletSignIn(newWallet());
      const answers = await Promise.all(upTo(5).map(() => linkEmail(owner, freshAddress())));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
      expect(await list(owner)).toHaveLength(2);
    });

    test.each([
      ['passwords that differ', { passwordConfirm: 'something else entirely' }],
      ['a short password', { password: 'short', passwordConfirm: 'short' }],
      ['no address', { email: 'nobody' }],
      ['a field too many', { userId: newId() }],
    ])('returns 400 for %s', async (_, more) => {
      const owner = await walletSignIn(newWallet());
      const answer = await linkEmail(owner, freshAddress(), more);
      expect([answer.status, answer.body.code]).toEqual([400, 'request.invalid']);
    });
  });

  describe('linking a provider’s account', () => {
    test('fails for another user’s account, and for the user’s own account the second time', async () => {
      const methods = portal.app.get(LinkedAccountsService);
      const [mine, theirs] = [await signUp(portal), await signUp(portal)];
      const subject = newId();
      const link = (each: Session) =>
        portal.db.transaction((manager) =>
          methods.link(manager, each.userId, 'google', subject, 'ada@example.com'),
        );
      await link(mine);
      await expect(link(mine)).rejects.toMatchObject({ code: 'auth.methodLinked' });
      await expect(link(theirs)).rejects.toMatchObject({ code: 'auth.socialUsed' });
      expect(await list(theirs)).toHaveLength(1);
      // The same subject at another provider is another user.
      await portal.db.transaction((manager) => methods.link(manager, theirs.userId, 'apple', subject, null));
      expect((await user(theirs)).body.ethAddress).toBeNull();
    });
  });

  describe('DELETE /api/v1/auth/identifiers/:id', () => {
    const idOf = async (session: Session, provider: string): Promise<string> =>
      (await list(session)).find((each: { provider: string }) => each.provider === provider).id;

    test('returns 204: the wallet no longer signs in to the account, and its address is removed', async () => {
      const owner = await signUp(portal);
      const wallet = newWallet();
      await linkWallet(owner, wallet);
      const answer = await unlink(owner, await idOf(owner, 'wallet'));
      expect(answer.status).toBe(204);
      expect((await user(owner)).body.ethAddress).toBeNull();
      expect(await list(owner)).toHaveLength(1);
      expect((await walletSignIn(wallet)).userId).not.toBe(owner.userId);
    });

    test('removes a wallet: the account’s address becomes that of another linked wallet', async () => {
      const owner = await signUp(portal);
      const [first, second, third] = [newWallet(), newWallet(), newWallet()];
      for (const wallet of [first, second, third]) await linkWallet(owner, wallet);
      const idIn = async (wallet: PrivateKeyAccount) =>
        (await list(owner)).find(({ label }: { label: string }) => label === wallet.address).id;
      await unlink(owner, await idIn(second));
      expect((await user(owner)).body.ethAddress).toBe(first.address);
      await unlink(owner, await idIn(first));
      expect((await user(owner)).body.ethAddress).toBe(third.address);
    });

    test('returns 500 if the address of the profile cannot be removed, and the wallet stays linked', async () => {
      const owner = await signUp(portal);
      await linkWallet(owner, newWallet());
      const id = await idOf(owner, 'wallet');
      const change = (what: string) => portal.db.query(`alter table users ${what}`);
      await change(`add constraint stuck check (id <> '${owner.userId}' or eth_address is not null)`);
      const { status } = await unlink(owner, id);
      await change('drop constraint stuck');
      expect(status).toBe(500);
      expect(await list(owner)).toHaveLength(2);
    });

    test('ends the sessions begun with the method and no others; the requesting session stays', async () => {
      const owner = await signUp(portal);
      const [wallet, another] = [newWallet(), newWallet()];
      await linkWallet(owner, wallet);
      await linkWallet(owner, another);
      const gone = await walletSignIn(wallet);
      const kept = await walletSignIn(another);
      const asking = await walletSignIn(wallet);
      const [{ id }] = (await list(owner)).filter(({ label }: { label: string }) => label === wallet.address);
      expect((await unlink(asking, id)).status).toBe(204);
      expect((await user(gone)).status).toBe(401);
      expect((await refresh(gone)).status).toBe(401);
      for (const session of [owner, kept, asking]) {
        expect((await user(session)).status).toBe(200);
        expect((await refresh(session)).status).toBe(200);
      }
    });

    test('removes an email sign-in: its password stops working, its sessions end, the profile keeps its address', async () => {
      const owner = await signUp(portal);
      const wallet = newWallet();
      await linkWallet(owner, wallet);
      const session = await walletSignIn(wallet);
      expect((await unlink(session, owner.userId)).status).toBe(204);
      expect((await emailSignIn(owner.email)).status).toBe(401);
      expect((await user(owner)).status).toBe(401);
      expect((await refresh(owner)).status).toBe(401);
      expect((await user(session)).body.email).toBe(owner.email);
      expect(await list(session)).toMatchObject([{ provider: 'wallet' }]);
    });

    test('returns 409 for the last method', async () => {
      const owner = await signUp(portal);
      const answer = await unlink(owner, owner.userId);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({
        code: 'auth.lastMethod',
        message: 'This is your only sign-in method. Add another one before you remove it',
      });
      expect((await emailSignIn(owner.email)).status).toBe(200);
    });

    test('20 parallel unlinks of the last two methods leave one', async () => {
      for (let round = 0; round < 3; round++) {
        const owner = await signUp(portal);
        await linkWallet(owner, newWallet());
        const ids: string[] = (await list(owner)).map(({ id }: { id: string }) => id);
        const answers = await Promise.all(upTo(20).map((i) => unlink(owner, ids[i % 2] as string)));
        expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
        const codes = new Set(answers.map(({ body: { code } }) => code));
        expect(codes).toEqual(new Set([undefined, 'auth.lastMethod', 'auth.methodNotFound']));
        expect(await list(owner)).toHaveLength(1);
      }
    });

    test.each([
      ['an id of nothing', () => newId()],
      ['no id at all', () => 'email'],
      ['a null byte', () => '%00'],
    ])('returns 404 for %s', async (_, id) => {
      const owner = await signUp(portal);
      await linkWallet(owner, newWallet());
      const answer = await unlink(owner, id());
      expect([answer.status, answer.body.code]).toEqual([404, 'auth.methodNotFound']);
    });

    test('returns 404 for another user’s methods, which stay', async () => {
      const owner = await signUp(portal);
      await linkWallet(owner, newWallet());
      const other = await signUp(portal);
      await linkWallet(other, newWallet());
      for (const { id } of await list(owner)) {
        const answer = await unlink(other, id);
        expect([answer.status, answer.body.code]).toEqual([404, 'auth.methodNotFound']);
      }
      expect(await list(owner)).toHaveLength(2);
    });

    test('sessions that begin while their method is being removed are refused or ended', async () => {
      for (let round = 0; round < 5; round++) {
        const wallet = newWallet();
        const owner = await walletSignIn(wallet);
        const email = freshAddress();
        const keeper = sessionOf(await linkEmail(owner, email));
        const [gone] = await Promise.all([
          unlink(keeper, owner.userId),
          ...upTo(6).map(() => emailSignIn(email)),
        ]);
        expect(gone.status).toBe(204);
        const standing = await portal.db.query(
          `select id from refresh_tokens where user_id = $1 and provider = 'email' and revoked_at is null`,
          [owner.userId],
        );
        expect(standing).toEqual([]);
      }
    });
  });
});
