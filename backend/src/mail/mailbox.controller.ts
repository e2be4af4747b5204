import { Controller, Get, Headers, Inject, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { escapeHtml } from '../http/escape.html.js';
import { isLocalRequest } from '../http/local.request.js';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { PortalError } from '../http/portal.error.js';
import { chosenTheme, noticePage, plainPage, sendPage, withWholeEmails } from '../http/notice.page.js';
import { inTheme } from './mail.layout.js';
import { logoAttachment, logoCid } from './mail.logo.js';
import { KeptMail, MailOutbox } from './mail.outbox.js';

const shownMost = 50;

/** The mailbox of local mode: every email that would have been sent, for a developer on the same machine. */
@ApiExcludeController()
@Controller('dev/mailbox')
@UseInterceptors(NoStoreInterceptor)
export class MailboxController {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly outbox: MailOutbox,
  ) {}

  /**
   * Serves only this machine, and only the portal's own address: neither another machine, also through a proxy on this
   * one, nor a foreign page whose name resolves here may read the links.
   */
  @Get()
  async list(
    @Headers('host') host: string | undefined,
    @Headers('accept') accept: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { PUBLIC_URL } = this.environment;
    if (host !== new URL(PUBLIC_URL).host || !isLocalRequest(request)) {
      if (!accept?.includes('text/html')) throw new PortalError('route.notFound');
      return sendPage(reply, elsewherePage(PUBLIC_URL), { status: 404 });
    }
    const mails = await this.outbox.list(shownMost);
    sendPage(reply, mailboxPage(mails, chosenTheme(request)), { more: mailSources });
  }
}

const elsewherePage = (portal: string): string =>
  noticePage({
    title: 'The mailbox isn’t available here',
    paragraphs: [`It’s only available on the machine that runs the portal, at ${portal}.`],
    link: { href: `${portal}/dev/mailbox`, text: 'Open the mailbox' },
  });

function mailboxPage(mails: readonly KeptMail[], theme: 'light' | 'dark' | undefined): string {
  const about = `<p>SMTP_URL isn’t set, so emails appear here instead of being sent: the newest ${shownMost}, each until it expires.</p>`;
  const list =
    mails.length === 0
      ? '<p>No emails yet. Create an account or reset a password, then reload this page.</p>'
      : mails.map((mail) => articleOf(mail, theme)).join('\n      ');
  return plainPage('Mailbox', `${about}\n      ${list}`, true);
}

/** Emails have inline styles and an embedded logo. */
const mailSources = { 'style-src': "'unsafe-inline'", 'img-src': "'self' data:" };
const logoAddress = `data:image/png;base64,${logoAttachment.content.toString('base64')}`;

const articleOf = (
  { to, subject, text, html, createdAt }: KeptMail,
  theme: 'light' | 'dark' | undefined,
): string => `<article>
        <h2>${escapeHtml(subject)}</h2>
        <p>To ${withWholeEmails(to)}, <time datetime="${createdAt.toISOString()}">${createdAt.toUTCString()}</time></p>
        <iframe title="${escapeHtml(subject)}" sandbox="allow-top-navigation-by-user-activation" srcdoc="${escapeHtml(framed(theme ? inTheme(html, theme) : html))}"></iframe>
        <details><summary>Plain text</summary><pre>${withLinks(text)}</pre></details>
      </article>`;

/** An email as an email program shows it: links open in this tab, and the logo is inlined. */
const framed = (html: string): string =>
  html.replaceAll('<a ', '<a target="_top" ').replaceAll(`cid:${logoCid}`, logoAddress);

/** Text as HTML with clickable addresses. */
const withLinks = (text: string): string =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, place) =>
      place % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`,
    )
    .join('');
