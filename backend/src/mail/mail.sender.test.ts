import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createServer } from 'node:net';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { newId } from '../database/new.id.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { inBrowserOf } from '../testing/browser.cookie.js';
import { pageText } from '../testing/page.text.js';
import { startServer } from '../testing/server.process.js';
import { signUp } from '../testing/sign.up.js';
import { linkIn, SmtpServer, startSmtpServer } from '../testing/smtp.server.js';
import { createTestDatabase, freePort, startAnother, startTestApp, TestApp } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { Mail, MailOutbox } from './mail.outbox.js';

const waiting = async (portal: Pick<TestApp, 'db'>): Promise<number> =>
  (await portal.db.query('select count(*)::int as count from outgoing_mails'))[0].count;

/** Everything written to standard output and error. */
function listenToLog(): { text(): string } {
  let log = '';
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, 'write').mockImplementation((chunk) => {
      log += chunk.toString();
      return true;
    });
  }
  return { text: () => log };
}

const linesWith = (log: { text(): string }, words: string): number => log.text().split(words).length - 1;

describe('sending email', () => {
  let undo: (() => Promise<void>)[] = [];
  beforeEach(() => {
    undo = [];
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const act of undo.reverse()) await act();
  });
  const smtp = async (options: Parameters<typeof startSmtpServer>[0] = {}): Promise<SmtpServer> => {
    const server = await startSmtpServer(options);
    undo.push(server.close);
    return server;
  };
  const start = async (url: string, more: Record<string, string> = {}): Promise<TestApp> => {
    const portal = await startTestApp({ SMTP_URL: url, MAIL_FROM: 'Orange ID <id@portal.example>', ...more });
    undo.push(portal.close);
    return portal;
  };

  test('an email has the same content as text and as HTML, with its logo embedded and nothing to load', async () => {
    const server = await smtp();
    const portal = await start(server.url);
    const { email } = await signUp(portal, 'first.person+tag@example.com');
    const mail = await server.mailTo(email);
    expect(mail.headers).toMatchObject({
      from: 'Orange ID <id@portal.example>',
      to: email,
      subject: 'Confirm your email address · Orange ID',
      'auto-submitted': 'auto-generated',
      'message-id': expect.stringMatching(/^<[0-9a-f-]{36}@localhost>$/),
    });
    expect(mail.parts).toEqual([
      'multipart/alternative > text/plain',
      'multipart/alternative > multipart/related > text/html',
      'multipart/alternative > multipart/related > image/png',
    ]);
    const link = linkIn(mail);
    expect(link).toMatch(new RegExp(`^${portal.url}/api/v1/auth/email/confirm\\?token=[\\w-]{43}$`));
    expect(new Set(mail.html.match(/https?:[^\s"<]+/g))).toEqual(new Set([link]));
    expect(mail.html).not.toMatch(/<script|<link|url\(|src="(?!cid:)/);
    const logo = /<img [^>]*src="cid:([^"]+)"/.exec(mail.html)?.[1];
    expect(mail.raw).toContain(`Content-ID: <${logo}>`);
    for (const words of ['The link works once and expires in 24 hours.', email]) {
      expect(mail.text).toContain(words);
      expect(pageText(mail.html)).toContain(words);
    }
    await until('nothing waits any more', async () => (await waiting(portal)) === 0);
    expect(server.mails).toHaveLength(1);
  });

  test('a line break or a second address in a stored email adds no header and no recipient', async () => {
    const server = await smtp();
    const portal = await start(server.url);
    const put = (mail: Partial<Mail>) =>
      portal.app.get(DataSource).transaction((manager) =>
        portal.app.get(MailOutbox).put(manager, {
          to: 'reader@example.com',
          subject: 'Plain',
          text: 'Text',
          html: '<p>Text</p>',
          ...mail,
          expiresAt: new Date(Date.now() + 60_000),
        }),
      );
    await put({ subject: 'Subject\r\nBcc: second@evil.example\r\n\r\nAn own body' });
    const { headers, to, text } = await server.mailTo('reader@example.com');
    expect([to, headers['bcc'], text.trim()]).toEqual([['reader@example.com'], undefined, 'Text']);
    for (const recipient of [
      'reader@example.com, second@evil.example',
      'reader@example.com\r\nBcc: second@evil.example',
      'Reader <second@evil.example>',
    ]) {
      await put({ to: recipient, subject: 'Next' });
    }
    await until('nothing waits any more', async () => (await waiting(portal)) === 0);
    for (const mail of server.mails) expect([mail.to, mail.headers['bcc']]).not.toContain('evil');
    expect(server.mails.flatMap((mail) => mail.to).join()).not.toContain('evil');
  });

  test('an email that an earlier version stored is sent unchanged; one changed outside the portal is dropped with a log line', async () => {
    const server = await smtp();
    const log = listenToLog();
    const portal = await start(server.url);
    const [id, changed] = [newId(), newId()];
    const words = { to: 'former@example.com', subject: 'Former', text: 'As text', html: '<p>As HTML</p>' };
    const { bytes, version } = portal.app.get(SecretsService).seal('mail.store', JSON.stringify(words), id);
    await portal.db.query(
      `insert into outgoing_mails (id, sealed, secret_version, expires_at)
       values ($1, $2, $3, now() + interval '1 minute'), ($4, 'changed', $3, now() + interval '1 minute')`,
      [id, bytes, version, changed],
    );
    const mail = await server.mailTo('former@example.com');
    expect([mail.text.trim(), mail.html.trim()]).toEqual(['As text', '<p>As HTML</p>']);
    expect(mail.parts).toEqual(['multipart/alternative > text/plain', 'multipart/alternative > text/html']);
    await until('nothing waits any more', async () => (await waiting(portal)) === 0);
    expect(server.mails).toHaveLength(1);
    const line =
      /An email was dropped: it was changed outside the portal.* \(job=mail jobId=(\S+) mailId=(\S+)\)/;
    expect(line.exec(log.text())?.[2]).toBe(changed);
  });

  test('while the server is down no request waits, one line is logged, and the email arrives once it is back', async () => {
    const log = listenToLog();
    const port = await freePort();
    const portal = await start(`smtp://127.0.0.1:${port}`, { LOG_LEVEL: 'log' });
    const people = [await signUp(portal), await signUp(portal), await signUp(portal)];
    await until('the outage is noticed', () => linesWith(log, 'Emails are waiting:') > 0);
    // Registering succeeds during the outage.
    people.push(await signUp(portal));
    expect(await waiting(portal)).toBe(4);

    const server = await smtp({ port });
    for (const { email } of people) await server.mailTo(email);
    await until('nothing waits any more', async () => (await waiting(portal)) === 0);
    expect(server.mails).toHaveLength(4);
    await until(
      'the log reports the end of the outage',
      () => linesWith(log, 'The mail server works again') > 0,
    );
    expect(linesWith(log, 'Emails are waiting:')).toBe(1);
    expect(log.text()).toContain("Emails are waiting: the server in SMTP_URL can't be used (ECONNREFUSED)");
    for (const { email } of people) expect(log.text()).not.toContain(email);
    expect(log.text()).not.toContain('token=');
  }, 30_000);

  test('with requireTLS=true no email is sent to a server without TLS', async () => {
    const log = listenToLog();
    const server = await smtp();
    const portal = await start(`${server.url}?requireTLS=true`, { LOG_LEVEL: 'warn' });
    await signUp(portal);
    await until('the outage is noticed', () => linesWith(log, 'Emails are waiting:') > 0);
    expect(log.text()).toContain("the server in SMTP_URL can't be used (ETLS");
    expect(await waiting(portal)).toBe(1);
    expect(server.mails).toEqual([]);
  });

  test('a silent server blocks neither requests nor the shutdown', async () => {
    listenToLog();
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    undo.push(() => new Promise((resolve) => silent.close(() => resolve())));
    const { port } = silent.address() as { port: number };
    const portal = await start(`smtp://127.0.0.1:${port}`);
    await signUp(portal);
    expect(await waiting(portal)).toBe(1);
    // Closing the portal is part of the test: it ends while the email is being sent.
  }, 15_000);

  test('a permanently refused recipient is dropped and logged once; a temporarily refused one is retried', async () => {
    const log = listenToLog();
    let isBusy = true;
    const server = await smtp({
      refuse: (recipient) => {
        const refused = recipient.startsWith('gone')
          ? 550
          : isBusy && recipient.startsWith('busy')
            ? 451
            : null;
        if (refused) throw Object.assign(new Error('refused'), { responseCode: refused });
      },
    });
    const portal = await start(server.url, { LOG_LEVEL: 'log' });
    await signUp(portal, 'gone@example.com');
    await signUp(portal, 'busy@example.com');
    await signUp(portal, 'well@example.com');
    await server.mailTo('well@example.com');
    await until('the one for good is gone', () => linesWith(log, 'rejected it permanently (550)') > 0);
    const [row] = await until('the other waits for its turn', async () => {
      const rows = await portal.db.query('select attempts from outgoing_mails where next_attempt_at > now()');
      return rows.length === 1 && rows[0].attempts === 1 ? rows : null;
    });
    expect(row).toEqual({ attempts: 1 });

    isBusy = false;
    await portal.db.query('update outgoing_mails set next_attempt_at = now()');
    await server.mailTo('busy@example.com');
    expect(linesWith(log, 'Emails are waiting:')).toBe(0);
    expect(linesWith(log, 'rejected it permanently')).toBe(1);
    expect(log.text()).not.toContain('@example.com');
  });

  test('emails that expired unsent are dropped and counted in the log', async () => {
    const log = listenToLog();
    const port = await freePort();
    const portal = await start(`smtp://127.0.0.1:${port}`, { LOG_LEVEL: 'warn' });
    await signUp(portal);
    await portal.db.query('update outgoing_mails set expires_at = now()');
    await until('it is gone', async () => (await waiting(portal)) === 0);
    expect(log.text()).toContain('emails dropped because they expired unsent: 1');
  }, 15_000);

  test('of the emails that wait while an account is deleted, only warnings and reset links are sent, and none once its rows are gone', async () => {
    listenToLog();
    const port = await freePort();
    const portal = await start(`smtp://127.0.0.1:${port}`);
    const [leaving, gone, here] = [await signUp(portal), await signUp(portal), await signUp(portal)];
    const { app, db } = portal;
    const news = { subject: 'News', text: 'News', html: '', expiresAt: new Date(Date.now() + 60_000) };
    for (const { userId, email } of [leaving, gone, here]) {
      const account = { userId, until: 'deleted' } as const;
      await app.get(MailOutbox).put(app.get(DataSource).manager, { ...news, to: email, account });
      expect((await portal.call('POST', '/api/v1/auth/email/reset', { body: { email } })).status).toBe(200);
    }
    await until('the reset links are queued', async () => (await waiting(portal)) === 9);
    await db.query('update credentials set email_verified = true where user_id = $1', [leaving.userId]);
    const deletion = await portal.call('POST', '/api/account/deletion', {
      token: leaving.token,
      headers: await inBrowserOf(portal, leaving.token),
      body: { word: 'delete' },
    });
    expect([deletion.status, await waiting(portal)]).toEqual([200, 10]);
    await db.query('delete from users where id = $1', [gone.userId]);

    const server = await smtp({ port });
    await until('nothing waits any more', async () => (await waiting(portal)) === 0);
    const subjectsTo = ({ email }: { email: string }) =>
      server.mails.filter(({ to }) => to[0] === email).map(({ headers }) => headers['subject']);
    expect(subjectsTo(leaving).sort()).toEqual([
      'Reset your password · Orange ID',
      'Your account was deleted · Orange ID',
    ]);
    expect(subjectsTo(gone)).toEqual([]);
    expect(subjectsTo(here)).toHaveLength(3);
    const metrics = await portal.call('GET', '/metrics');
    expect(metrics.text).toContain('mail_results_total{result="unwanted"} 5');
  }, 15_000);

  test('two instances send each email once', async () => {
    const server = await smtp();
    const portal = await start(server.url);
    const other = await startAnother(portal);
    undo.push(other.close);
    const people = [];
    for (let i = 0; i < 10; i++) people.push(await signUp(i % 2 === 0 ? portal : other));
    for (const { email } of people) await server.mailTo(email);
    await until('nothing waits any more', async () => (await waiting(portal)) === 0);
    expect(server.mails.map(({ to }) => to[0]).sort()).toEqual(people.map(({ email }) => email).sort());
  });

  test('an email whose sender dies after delivering it and before recording that is sent again, under the same Message-ID', async () => {
    const { address, drop } = await createTestDatabase();
    undo.push(drop);
    let onMail: () => Promise<unknown> = () => Promise.resolve();
    const server = await smtp({ onMail: async () => void (await onMail()) });
    const variables = {
      SMTP_URL: server.url,
      PORTAL_SECRET: 'a secret of thirty-two characters',
    };
    const first = await startServer(address, variables);
    let isRegistered = (): void => undefined;
    const registration = new Promise<void>((resolve) => (isRegistered = resolve));
    onMail = async () => {
      onMail = () => Promise.resolve();
      // The email may arrive before the response to the registration does.
      await registration;
      await first.end('SIGKILL');
    };
    const body = { email: 'twice@example.com', password: 'a long enough password' };
    const registered = await fetch(`${first.url}/api/v1/auth/email/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, passwordConfirm: body.password }),
    });
    expect(registered.status).toBe(200);
    isRegistered();
    await until('the process is dead', () => !first.isRunning());
    expect(server.mails).toHaveLength(1);

    // The lease of the dead process expires.
    const client = new pg.Client(address);
    await client.connect();
    const { rowCount } = await client.query('update outgoing_mails set next_attempt_at = now()');
    await client.end();
    expect(rowCount).toBe(1);
    const second = await startServer(address, variables);
    undo.push(() => second.end('SIGTERM').then(() => undefined));
    await until('it is delivered again', () => server.mails.length === 2);
    expect(server.mails[1]?.headers['message-id']).toBe(server.mails[0]?.headers['message-id']);
    expect(linkIn(server.mails[1]!)).toBe(linkIn(server.mails[0]!));
  }, 60_000);
});

describe('without SMTP_URL in production', () => {
  test('requests that need an email return 501 and name the variable, and a sign-in does not', async () => {
    const portal = await startTestApp();
    const { email } = await signUp(portal);
    const production = await startTestApp({
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      PORTAL_SECRET: 'a secret of thirty-two characters',
      PUBLIC_URL: 'https://portal.example.com',
      DATABASE_URL: 'postgres://unused@localhost/unused',
    });
    try {
      const password = 'a long enough password';
      const post = (path: string, body: object) => production.call('POST', path, { body });
      const refused = [
        await post('/api/v1/auth/email/register', { email, password, passwordConfirm: password }),
        await post('/api/v1/auth/email/reset', { email }),
      ];
      for (const { status, body } of refused) {
        expect([status, body.code]).toEqual([501, 'auth.mailNotConfigured']);
        expect(body.message).toContain('SMTP_URL');
      }
      const login = await post('/api/v1/auth/email/login', { email, password });
      expect(login.body.code).toBe('auth.credentialsInvalid');
      expect(await waiting(production)).toBe(0);
      expect((await production.call('GET', '/dev/mailbox')).status).toBe(404);
    } finally {
      await production.close();
      await portal.close();
    }
  });
});
