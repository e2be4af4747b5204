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
  UseInterceptors,
} from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { emailConfirm, emailConfirmed, loginResult, newPassword } from '@orange-id/contract/identity.schema';
import type { NewPassword, SignInMethod } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asPortalError } from '../../http/error.filter.js';
import { ReadsForms } from '../../http/form.body.js';
import { NoStoreInterceptor } from '../../http/no-store.interceptor.js';
import { PortalError } from '../../http/portal.error.js';
import { readRequest } from '../../http/request.issues.js';
import { methodWords } from '../methods/method.words.js';
import { MethodsService } from '../methods/methods.service.js';
import { noticePage } from '../notice.page.js';
import type { Notice, PageField } from '../notice.page.js';
import { emailAccount, SignInLimits } from '../sign-in.limits.js';
import { BrowserSessions } from '../social/browser.session.js';
import { EmailService } from './email.service.js';
import { PasswordResets } from './password.resets.js';

const confirmPath = '/api/v1/auth/email/confirm';
const passwordPath = '/api/v1/auth/email/password';

/**
 * What the links in our mails lead to. `GET` shows a page and changes nothing; its form, or a client's JSON, acts. A
 * page answers a browser, JSON any other client.
 */
@ApiTags('identity')
@Controller('api/v1/auth/email')
@UseInterceptors(NoStoreInterceptor)
export class LinkController {
  constructor(
    private readonly emails: EmailService,
    private readonly methods: MethodsService,
    private readonly resets: PasswordResets,
    private readonly sessions: BrowserSessions,
    private readonly signInLimits: SignInLimits,
  ) {}

  @Get('confirm')
  @ApiOperation({ summary: 'The page a confirmation link leads to; it changes nothing' })
  confirmPage(
    @Query('token') token: unknown,
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return guarded(reply, wantsPage(accept), async () => {
      const { userId, email, madeAt } = await this.emails.readConfirmation(token);
      const ways = waysOf(await this.methods.list(userId));
      show(reply, confirmNotice({ email, madeAt, ways }, String(token)));
    });
  }

  @Post('confirm')
  @HttpCode(200)
  @ReadsForms()
  @ApiOperation({
    summary: 'Confirms the address a link was sent to, or, with the answer "no", takes it from the account',
  })
  @ApiResponse({ status: 200, standardSchema: emailConfirmed })
  confirm(
    @Ip() address: string,
    @Headers('content-type') type: string | undefined,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return guarded(reply, isForm(type), async () => {
      this.signInLimits.attempt(address);
      const { token, answer } = readRequest(emailConfirm, body, 'body');
      const isOwn = answer !== 'no';
      const email = isOwn
        ? await this.emails.confirm(token, (await this.sessions.read(request))?.userId)
        : await this.emails.disown(token);
      if (isForm(type)) show(reply, isOwn ? confirmedNotice(email) : disownedNotice(email));
      else void reply.send({ email, emailVerified: isOwn });
    });
  }

  @Get('password')
  @ApiOperation({
    summary: 'The page a reset link leads to, with a form for the new password; it changes nothing',
  })
  passwordPage(
    @Query('token') token: unknown,
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return guarded(reply, wantsPage(accept), async () => {
      const email = await this.resets.read(token);
      show(reply, passwordNotice(email, String(token)));
    });
  }

  /** A form is answered without tokens: its page could keep them nowhere. */
  @Post('password')
  @HttpCode(200)
  @ReadsForms()
  @ApiOperation({ summary: 'Sets a new password by a reset link, ends every sign-in and begins a new one' })
  @ApiResponse({ status: 200, standardSchema: loginResult })
  password(
    @Ip() address: string,
    @Headers('content-type') type: string | undefined,
    @Headers('user-agent') userAgent: string | undefined,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return guarded(reply, isForm(type), async () => {
      this.signInLimits.attempt(address);
      if (!isForm(type)) {
        const { token, password } = readRequest(newPassword, body, 'body');
        const { email, result } = await this.resets.finishAndSignIn(token, password, userAgent);
        this.signInLimits.passwordSet(address, emailAccount(email));
        return void reply.send(result);
      }
      let read: NewPassword;
      try {
        read = readRequest(newPassword, body, 'form');
      } catch (error) {
        if (!(error instanceof PortalError)) throw error;
        const { token } = (body ?? {}) as { token?: unknown };
        const email = await this.resets.read(token);
        return show(reply, passwordNotice(email, String(token), error.details), 400);
      }
      const { userId, email } = await this.resets.finish(read.token, read.password);
      // Whatever others try meanwhile, who reads the mailbox gets in with the new password.
      this.signInLimits.passwordSet(address, emailAccount(email));
      const others = (await this.methods.list(userId)).filter(({ provider }) => provider !== 'email');
      show(reply, passwordSetNotice(email, waysOf(others), await this.resets.countKeys(userId)));
    });
  }
}

const wantsPage = (accept: string | undefined): boolean => accept?.includes('text/html') ?? false;
const isForm = (type: string | undefined): boolean =>
  type?.startsWith('application/x-www-form-urlencoded') ?? false;

function show(reply: FastifyReply, notice: Notice, status = 200): void {
  void reply.status(status).type('text/html; charset=utf-8').send(noticePage(notice));
}

/** Runs `act`; a refusal is shown as a page where `isPage`. What nobody expected goes to the error filter either way. */
async function guarded(reply: FastifyReply, isPage: boolean, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const known = asPortalError(error);
    if (!isPage || known.code === 'server.failed') throw error;
    if (known.retryAfterSeconds !== undefined) {
      void reply.header('retry-after', String(known.retryAfterSeconds));
    }
    show(reply, refusalNotice(known), known.statusCode);
  }
}

const toSignIn = { href: '/login', text: 'Go to sign-in' };

const refusalNotice = (error: PortalError): Notice =>
  error.code === 'auth.linkInvalid'
    ? {
        title: 'This link is not valid',
        paragraphs: [
          'It was used already, has expired, or was not copied whole.',
          'For a new password, choose “Forgot password” at sign-in. To confirm your address, sign in and ask for a new link in Settings.',
        ],
        link: toSignIn,
      }
    : { title: 'That did not work', paragraphs: [`${error.message}.`], link: toSignIn };

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** What opens an account, in words that tell its owner enough and whoever else reads the mailbox no more. */
function waysOf(methods: readonly SignInMethod[]): string[] {
  const words = methods.map(({ provider, label }) =>
    provider === 'email' ? 'the password chosen for it' : methodWords(provider, label),
  );
  return [...new Set(words)];
}

const confirmNotice = (
  { email, madeAt, ways }: { email: string; madeAt: Date; ways: string[] },
  token: string,
): Notice => ({
  title: 'Confirm your e-mail address',
  paragraphs: [
    `Is the Orange ID account that names ${email} yours? It was made on ${day.format(madeAt)}.`,
    `It is entered with ${new Intl.ListFormat('en-GB').format(ways)}. Whoever has ${ways.length > 1 ? 'one of these' : 'that'} gets in after you confirm, too.`,
    'If you did not make it, say so: the account then loses the address, and nobody can sign in to it with that any more.',
  ],
  form: {
    action: confirmPath,
    hidden: { token },
    submit: 'Yes, confirm it',
    other: { name: 'answer', value: 'no', text: 'No, that was not me' },
  },
});

const confirmedNotice = (email: string): Notice => ({
  title: 'Your e-mail address is confirmed',
  paragraphs: [`${email} is now known to be yours. You can close this page.`],
  link: { href: '/', text: 'Open Orange ID' },
});

const disownedNotice = (email: string): Notice => ({
  title: 'The account no longer has your address',
  paragraphs: [
    `Nobody can sign in with ${email} until you make an account of your own. You can close this page.`,
  ],
  link: { href: '/', text: 'Open Orange ID' },
});

const passwordNotice = (email: string, token: string, problems: PortalError['details'] = []): Notice => {
  const field = (name: string, label: string, hint?: string): PageField => {
    const problem = problems.find(({ path }) => path === name)?.message;
    return {
      name,
      label,
      type: 'password',
      autocomplete: 'new-password',
      ...(hint === undefined ? {} : { hint }),
      ...(problem === undefined ? {} : { problem: problem.replace(/^./, (first) => first.toUpperCase()) }),
    };
  };
  return {
    title: 'Choose a new password',
    paragraphs: [`For the Orange ID account of ${email}. A new password signs you out everywhere.`],
    form: {
      action: passwordPath,
      hidden: { token },
      fields: [
        field(
          'password',
          'New password',
          `From ${limits.passwordMinCharacters} to ${limits.passwordMaxCharacters} characters.`,
        ),
        field('passwordConfirm', 'The same again'),
      ],
      submit: 'Set password',
    },
  };
};

const passwordSetNotice = (email: string, others: readonly string[], keys: number): Notice => ({
  title: 'Your password is changed',
  paragraphs: [
    `Every sign-in with ${email} has ended, on all devices. Sign in with the new password.`,
    ...(others.length > 0
      ? [
          `The account is entered with ${new Intl.ListFormat('en-GB').format(others)} as well. Remove in Settings what is not yours.`,
        ]
      : []),
    ...(keys > 0
      ? [
          `The account has ${keys === 1 ? 'an API key, which goes' : `${keys} API keys, which go`} on working. Delete what you did not make.`,
        ]
      : []),
  ],
  link: toSignIn,
});
