import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Ip,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ErrorCode } from '@orange-id/contract/error.codes';
import {
  emailConfirm,
  emailConfirmed,
  emailRestore,
  loginResult,
  newPassword,
} from '@orange-id/contract/identity.schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReadsForms } from '../../http/form.body.js';
import { NoStoreInterceptor } from '../../http/no-store.interceptor.js';
import { PortalError } from '../../http/portal.error.js';
import { readRequest } from '../../http/request.issues.js';
import { LinkedAccountsService } from '../linked-accounts/linked-accounts.service.js';
import { noticePage, pageResponse, sendPage } from '../../http/notice.page.js';
import type { Notice } from '../../http/notice.page.js';
import { emailAccount, SignInLimits } from '../limits/sign-in.limits.js';
import { CurrentClient } from '../../auth/sign-in.client.js';
import type { SignInClient } from '../../auth/sign-in.client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { BrowserSessions } from '../browser/browser.session.js';
import type { SessionContent } from '../browser/browser.session.js';
import { TenantGuard } from '../tenants/tenant.guard.js';
import { EmailService } from '../email/email.service.js';
import type { Confirmed } from '../email/email.service.js';
import { passwordMark } from '../email/password.mark.js';
import { PasswordResets } from '../email/password.resets.js';
import { showErrorsAsPages, wantsPage } from './error.page.js';
import {
  confirmedNotice,
  confirmNotice,
  rejectedNotice,
  elsewhereNotice,
  methodsHash,
  newAccountNotice,
  passwordNotice,
  passwordSetNotice,
  refusalNotice,
  restoredNotice,
  restoreNotice,
  type Confirmation,
} from './link.pages.js';

/**
 * The pages behind the links in emails. `GET` shows a page and changes nothing; the `POST` of its form, or a `POST`
 * with JSON, makes the change. Browsers get a page, other clients JSON.
 */
@ApiTags('Identity')
@Controller('api/v1/auth/email')
@UseInterceptors(NoStoreInterceptor)
export class LinkController {
  constructor(
    private readonly emails: EmailService,
    private readonly linkedAccounts: LinkedAccountsService,
    private readonly resets: PasswordResets,
    private readonly browserSessions: BrowserSessions,
    private readonly sessions: SessionsService,
    private readonly signInLimits: SignInLimits,
  ) {}

  @Get('confirm')
  @ApiOperation({ summary: 'Show the confirmation page for a link, without changing anything' })
  @ApiResponse(pageResponse)
  confirmPage(
    @Query('token') token: unknown,
    @Headers('accept') accept: string | undefined,
    @Ip() address: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return showErrorsAsPages(reply, wantsPage(accept), refusalNotice, async () => {
      this.signInLimits.lookup(address);
      const confirmation = await this.emails.readConfirmation(token);
      const other = await this.otherThan(confirmation.userId, await this.browserSessions.read(request));
      const isElsewhere = other !== null && (await this.emails.isHeld(other, confirmation.email));
      if (isElsewhere) show(reply, elsewhereNotice(confirmation, String(token)));
      else await this.ask(reply, confirmation, String(token));
    });
  }

  @Post('confirm')
  @HttpCode(200)
  @ReadsForms()
  @ApiOperation({
    summary:
      'Confirm the email address that the link was sent to, or remove it from the account if answer is "no"',
  })
  @ApiResponse({ status: 200, standardSchema: emailConfirmed })
  confirm(
    @Ip() address: string,
    @Headers('content-type') type: string | undefined,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return showErrorsAsPages(reply, isForm(type), refusalNotice, async () => {
      this.signInLimits.attempt(address);
      const { token, answer, methods } = readRequest(emailConfirm, body, 'body');
      const isOwn = answer !== 'no';
      let notice: Notice;
      let email: string;
      try {
        if (isOwn) {
          const confirmed = await this.prove(request, token, methods);
          ({ email } = confirmed);
          notice = confirmedNotice(confirmed);
        } else {
          email = await this.emails.rejectAccount(token);
          notice = rejectedNotice(email);
        }
      } catch (error) {
        if (!isForm(type) || !(error instanceof PortalError)) throw error;
        if (error.code === 'auth.accountChanged') {
          return this.ask(reply, await this.emails.readConfirmation(token), token, error);
        }
        if (error.code !== 'auth.emailOnOtherAccount') throw error;
        return show(reply, elsewhereNotice(await this.emails.readConfirmation(token), token), 409);
      }
      if (isForm(type)) show(reply, notice);
      else void reply.send({ email, emailVerified: isOwn });
    });
  }

  /**
   * Confirms the email of the account. `methods` is the hash of the sign-in methods that the page listed; if they have
   * changed since, the page is shown again. Refused if this browser is signed in to another account that has the address in its
   * profile: that account would lose the address.
   */
  private async prove(
    request: FastifyRequest,
    token: string,
    methods: string | undefined,
  ): Promise<Confirmed> {
    const { userId } = await this.emails.readConfirmation(token);
    const content = await this.browserSessions.read(request);
    const other = await this.otherThan(userId, content);
    const setHere = content?.passwords ?? [];
    return this.emails.confirm(token, {
      setHere,
      check: async (manager, { email }) => {
        if (other !== null && (await this.emails.isHeld(other, email, manager))) {
          throw new PortalError('auth.emailOnOtherAccount');
        }
        if (methods === undefined) return;
        if (methods !== methodsHash(await this.linkedAccounts.list(userId, manager), email)) {
          throw new PortalError('auth.accountChanged');
        }
      },
    });
  }

  /** Asks whether the account is the reader's; `refusal` is why the previous submission was rejected. */
  private async ask(
    reply: FastifyReply,
    confirmation: Confirmation,
    token: string,
    refusal?: PortalError,
  ): Promise<void> {
    const methods = await this.linkedAccounts.list(confirmation.userId);
    show(reply, confirmNotice(confirmation, methods, token, refusal?.message), refusal?.statusCode);
  }

  /** The account this browser is signed in to, if it is a different one and its session is still valid. */
  private async otherThan(userId: string, content: SessionContent | null): Promise<string | null> {
    if (!content?.userId || !content.sessionId || content.userId === userId) return null;
    const user = await this.sessions.findUser(content.sessionId, content.userId);
    return user?.id ?? null;
  }

  @Get('restore')
  @ApiOperation({ summary: 'Show the page that undoes a change of the email, without changing anything' })
  @ApiResponse(pageResponse)
  restorePage(
    @Query('token') token: unknown,
    @Headers('accept') accept: string | undefined,
    @Ip() address: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return showErrorsAsPages(reply, wantsPage(accept), refusalNotice, async () => {
      this.signInLimits.lookup(address);
      show(reply, restoreNotice(await this.emails.readRestore(token), String(token)));
    });
  }

  @Post('restore')
  @HttpCode(200)
  @ReadsForms()
  @ApiOperation({
    summary: 'Make the email that the link was sent to the account’s email again, and end all sessions',
  })
  @ApiResponse({ status: 200, standardSchema: emailConfirmed })
  restore(
    @Ip() address: string,
    @Headers('content-type') type: string | undefined,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return showErrorsAsPages(reply, isForm(type), refusalNotice, async () => {
      this.signInLimits.attempt(address);
      const email = await this.emails.restore(readRequest(emailRestore, body, 'body').token);
      if (isForm(type)) show(reply, restoredNotice(email));
      else void reply.send({ email, emailVerified: true });
    });
  }

  @Get('password')
  @ApiOperation({
    summary: 'Show the form for a new password for a reset link, without changing anything',
  })
  @ApiResponse(pageResponse)
  passwordPage(
    @Query('token') token: unknown,
    @Headers('accept') accept: string | undefined,
    @Ip() address: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return showErrorsAsPages(reply, wantsPage(accept), refusalNotice, async () => {
      this.signInLimits.lookup(address);
      const email = await this.resets.read(token);
      show(reply, passwordNotice(email, String(token)));
    });
  }

  /** A form gets no tokens in the response, because its page could not store them. */
  @Post('password')
  @HttpCode(200)
  @ReadsForms()
  @ApiOperation({ summary: 'Set a new password with a reset link, end all sessions and start a new one' })
  @ApiResponse({ status: 200, standardSchema: loginResult })
  @UseGuards(TenantGuard)
  password(
    @Ip() address: string,
    @Headers('content-type') type: string | undefined,
    @CurrentClient() client: SignInClient,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return showErrorsAsPages(reply, isForm(type), refusalNotice, async () => {
      this.signInLimits.attempt(address);
      if (!isForm(type)) {
        const { token, password } = readRequest(newPassword, body, 'body');
        const { email, result, passwordHash } = await this.resets.finishAndSignIn(token, password, client);
        await this.browserSessions.notePassword(request, reply, passwordMark(passwordHash));
        this.signInLimits.passwordSet(address, emailAccount(email));
        return void reply.send(result);
      }
      let set: Awaited<ReturnType<PasswordResets['finish']>>;
      try {
        const { token, password } = readRequest(newPassword, body, 'form');
        set = await this.resets.finish(token, password, client.userAgent);
      } catch (error) {
        const isOfForm = error instanceof PortalError && ofPasswordForm.has(error.code);
        if (!isOfForm) throw error;
        const { token } = (body ?? {}) as { token?: unknown };
        const email = await this.resets.read(token);
        return show(reply, passwordNotice(email, String(token), error.details), 400);
      }
      const { userId, email, passwordHash, isNew, endedKeys, keptKeys } = set;
      await this.browserSessions.notePassword(request, reply, passwordMark(passwordHash));
      // The mailbox owner can sign in with the new password, whatever attempts others make.
      this.signInLimits.passwordSet(address, emailAccount(email));
      if (isNew) return show(reply, newAccountNotice(email));
      const others = (await this.linkedAccounts.list(userId)).filter(({ provider }) => provider !== 'email');
      show(reply, passwordSetNotice(email, others, { endedKeys, keptKeys }));
    });
  }
}

/** Errors that the user can correct in the form of a reset link. */
const ofPasswordForm: ReadonlySet<string> = new Set<ErrorCode>(['request.invalid', 'auth.passwordCommon']);

const isForm = (type: string | undefined): boolean =>
  type?.startsWith('application/x-www-form-urlencoded') ?? false;

function show(reply: FastifyReply, notice: Notice, status = 200): void {
  sendPage(reply, noticePage(notice), { status });
}
