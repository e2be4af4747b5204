import { BeforeApplicationShutdown, Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import type { NodemailerError, Transporter } from 'nodemailer';
import type { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { JobLogger } from '../jobs/job.logger.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { logoAttachment, logoCid } from './mail.logo.js';
import { Mail, MailOutbox } from './mail.outbox.js';
import { smtpTransport } from './smtp.transport.js';
import { WakingLoop } from './waking.loop.js';

interface Claimed {
  id: string;
  sealed: Buffer;
  version: number;
  attempts: number;
}

/** The outcome of handing an email to the server; `unwanted` if its account is deleted, which the server never sees. */
type Outcome = 'sent' | 'later' | 'never' | 'unwanted' | 'outage' | 'stopped';

const atOnce = 5;
/** How often emails queued by other instances, or before a restart, are looked up. */
const pollMs = 1_000;
const outageFirstMs = 1_000;
const outageMostMs = 60_000;
const sendWithinMs = 45_000;
/** Longer than sending an email may take: after this time another process retries an email whose sender died. */
const leaseSeconds = 60;
const laterFirstSeconds = 10;
const laterMostSeconds = 900;
/** How long an email being sent may delay the end of the process. */
const timeoutMs = 3_000;

/**
 * Sends email from the outbox to the server of `SMTP_URL`. Delivery is at least once: if a process dies between the
 * server's reply and deleting the row, the email is sent again under the same `Message-ID`. While the server is
 * unavailable, emails wait and one of them is retried with backoff; the log has one line for the outage.
 */
@Injectable()
export class MailSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new JobLogger('Mail', 'mail');
  private readonly loop = new WakingLoop(this.logger, 'Sending mail', () => this.turn());
  private readonly results: Counter<'result'>;
  private readonly transport: Transporter | null;
  private readonly stopping = new AbortController();
  private unsubscribe: () => void = () => undefined;
  /** The backoff before an unavailable server is tried again; null while it is available. */
  private outageMs: number | null = null;

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly outbox: MailOutbox,
    private readonly dataSource: DataSource,
    metrics: MetricsRegistry,
  ) {
    this.results = metrics.counter('mail_results_total', 'Attempts to send an email, by result', ['result']);
    for (const result of ['sent', 'later', 'never', 'unwanted', 'outage', 'expired'])
      this.results.inc({ result }, 0);
    this.transport = environment.SMTP_URL === undefined ? null : smtpTransport(environment.SMTP_URL);
  }

  onApplicationBootstrap(): void {
    if (this.transport === null) return;
    this.unsubscribe = this.outbox.subscribe(() => {
      if (this.outageMs === null) this.loop.wake();
    });
    this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.unsubscribe();
    const cut = setTimeout(() => this.stopping.abort(), timeoutMs);
    await this.loop.stop();
    clearTimeout(cut);
    this.transport?.close();
  }

  /** Sends the emails that are due and returns the delay before the next run, in milliseconds. */
  private async turn(): Promise<number> {
    await this.dropExpired();
    const mails = await this.claim(this.outageMs === null ? atOnce : 1);
    const outcomes = await Promise.all(mails.map((mail) => this.deliver(mail)));
    if (outcomes.includes('outage')) return this.lengthenOutage();
    if (mails.length === 0) return this.outageMs ?? pollMs;
    if (outcomes.some((outcome) => outcome !== 'stopped' && outcome !== 'unwanted')) this.endOutage();
    return 0;
  }

  private async claim(most: number): Promise<Claimed[]> {
    const [rows] = (await this.dataSource.query(
      `update outgoing_mails set next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
       where id in (
         select id from outgoing_mails where next_attempt_at <= now()
         order by next_attempt_at, id limit $1 for update skip locked
       )
       returning id, sealed, secret_version as version, attempts`,
      [most],
    )) as [Claimed[], number];
    return rows;
  }

  private async dropExpired(): Promise<void> {
    const [rows] = (await this.dataSource.query(
      'delete from outgoing_mails where expires_at <= now() returning id',
    )) as [unknown[], number];
    this.results.inc({ result: 'expired' }, rows.length);
    if (rows.length > 0) this.logger.warn(`emails dropped because they expired unsent: ${rows.length}`);
  }

  private async deliver(claimed: Claimed): Promise<Outcome> {
    const outcome = await this.send(claimed);
    if (outcome !== 'stopped') this.results.inc({ result: outcome });
    if (outcome === 'sent' || outcome === 'never' || outcome === 'unwanted') {
      await this.dataSource.query('delete from outgoing_mails where id = $1', [claimed.id]);
    } else if (outcome === 'later') {
      const seconds = Math.min(laterFirstSeconds * 2 ** claimed.attempts, laterMostSeconds);
      await this.dataSource.query(
        `update outgoing_mails set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)
         where id = $1`,
        [claimed.id, seconds],
      );
    } else {
      await this.dataSource.query('update outgoing_mails set next_attempt_at = now() where id = $1', [
        claimed.id,
      ]);
    }
    return outcome;
  }

  private async send(claimed: Claimed): Promise<Outcome> {
    let mail: Mail;
    try {
      mail = this.outbox.open(claimed);
    } catch {
      this.logger.error("An email was dropped: it was changed outside the portal and can't be read", {
        mailId: claimed.id,
      });
      return 'never';
    }
    if (!(await this.outbox.isWanted(mail))) return 'unwanted';
    try {
      await this.transport?.sendMail({
        // Passed as an object it is one address, whatever it contains.
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        ...(mail.html.includes(`cid:${logoCid}`) ? { attachments: [logoAttachment] } : {}),
        from: this.environment.MAIL_FROM,
        messageId: `<${claimed.id}@${new URL(this.environment.PUBLIC_URL).hostname}>`,
        // Suppresses automatic replies (RFC 3834).
        headers: {
          'auto-submitted': 'auto-generated',
          ...(mail.unsubscribe === undefined
            ? {}
            : {
                'list-unsubscribe': `<${mail.unsubscribe}>`,
                'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
              }),
        },
        signal: AbortSignal.any([this.stopping.signal, AbortSignal.timeout(sendWithinMs)]),
      });
      return 'sent';
    } catch (error) {
      return this.outcomeOf(error as NodemailerError, claimed.id);
    }
  }

  /** Whether the server refused this email, or accepts none at all. Addresses and content stay out of the log. */
  private outcomeOf(error: NodemailerError, mailId: string): Outcome {
    if (this.stopping.signal.aborted) return 'stopped';
    const isAboutMail = error.code === 'EMESSAGE' || ['RCPT TO', 'DATA', 'API'].includes(error.command ?? '');
    if (isAboutMail && error.permanent !== false) {
      this.logger.warn(
        `An email was dropped: the mail server rejected it permanently (${error.responseCode ?? error.code})`,
        { mailId },
      );
      return 'never';
    }
    // 421 means that the server closes the connection, which affects every email.
    if (isAboutMail && error.responseCode !== 421) return 'later';
    if (this.outageMs === null) {
      const reply = error.responseCode === undefined ? '' : ` ${error.responseCode}`;
      const reason = `${error.originalCode ?? error.code ?? error.name}${reply}`;
      this.logger.warn(
        `Emails are waiting: the server in SMTP_URL can't be used (${reason}). Trying again until it works`,
        { mailId },
      );
      this.outageMs = outageFirstMs / 2;
    }
    return 'outage';
  }

  private lengthenOutage(): number {
    return (this.outageMs = Math.min((this.outageMs ?? outageFirstMs) * 2, outageMostMs));
  }

  private endOutage(): void {
    if (this.outageMs === null) return;
    this.outageMs = null;
    this.logger.log('The mail server works again; sending the waiting emails');
  }
}
