import { Controller, Get, Headers, Inject, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { escapeHtml } from '../http/escape.html.js';
import { isLoopback } from '../http/loopback.rule.js';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { PortalError } from '../http/portal.error.js';
import { noticePage, plainPage } from '../identity/notice.page.js';
import { KeptMail, MailOutbox } from './mail.outbox.js';

const shownMost = 50;

/** The mailbox of local mode: every mail that would have been sent, for whoever runs the portal on their own machine. */
@ApiExcludeController()
@Controller('dev/mailbox')
@UseInterceptors(NoStoreInterceptor)
export class MailboxController {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly outbox: MailOutbox,
  ) {}

  /**
   * Only from this machine, and only under the portal's own address: neither a neighbour in the network nor a foreign
   * page whose name was made to lead here may read the links in it.
   */
  @Get()
  async list(
    @Headers('host') host: string | undefined,
    @Headers('accept') accept: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { PUBLIC_URL } = this.environment;
    if (host !== new URL(PUBLIC_URL).host || !isLoopback(request.socket.remoteAddress)) {
      if (!accept?.includes('text/html')) throw new PortalError('route.notFound');
      return void reply.status(404).type('text/html; charset=utf-8').send(elsewherePage(PUBLIC_URL));
    }
    const mails = await this.outbox.list(shownMost);
    void reply.type('text/html; charset=utf-8').send(mailboxPage(mails));
  }
}

const elsewherePage = (portal: string): string =>
  noticePage({
    title: 'There is no mailbox at this address',
    paragraphs: [`Mail is read on the machine that runs the portal, at ${portal}, and nowhere else.`],
    link: { href: `${portal}/dev/mailbox`, text: 'Open the mailbox' },
  });

function mailboxPage(mails: readonly KeptMail[]): string {
  const about =
    '<p>Without SMTP_URL nothing is sent: every mail of this portal can be read here until its link expires, the newest first.</p>';
  const list =
    mails.length === 0
      ? '<p>There is no mail. Register with an e-mail address, or ask for a new password, and reload this page.</p>'
      : mails.map(articleOf).join('\n      ');
  return plainPage('Mailbox', `${about}\n      ${list}`, true);
}

const articleOf = ({ to, subject, text, createdAt }: KeptMail): string => `<article>
        <h2>${escapeHtml(subject)}</h2>
        <p>To ${escapeHtml(to)}, <time datetime="${createdAt.toISOString()}">${createdAt.toUTCString()}</time></p>
        <pre>${withLinks(text)}</pre>
      </article>`;

/** Text as HTML, with its addresses to be clicked. */
const withLinks = (text: string): string =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, place) =>
      place % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`,
    )
    .join('');
