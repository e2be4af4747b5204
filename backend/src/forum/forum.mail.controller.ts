import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { forumMail, forumMute, forumMuted, forumThreadMail } from '@orange-id/contract/forum.schema';
import type { ForumMail, ForumMute, ForumMuted, ForumThreadMail } from '@orange-id/contract/forum.schema';
import type { FastifyReply } from 'fastify';
import { CurrentUser } from '../auth/current.user.js';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import type { User } from '../auth/user.entity.js';
import { ReadsForms } from '../http/form.body.js';
import { noticePage, pageResponse, sendPage } from '../http/notice.page.js';
import { PortalError } from '../http/portal.error.js';
import { ForumFollowersRepository } from './forum.followers.repository.js';
import { ForumMails } from './forum.mails.js';
import { isUuid } from './forum.service.js';

const noPost = { status: 404, description: 'There is no such post.' };

/** Which mail a user gets about the community. */
@ApiTags('Community')
@Controller('api/forum')
@RequiresSignIn()
export class ForumMailController {
  constructor(private readonly followers: ForumFollowersRepository) {}

  @Get('mail')
  @ApiOperation({ summary: 'Get whether you get email about the community' })
  @ApiResponse({ status: 200, standardSchema: forumMail })
  async mail(@CurrentUser() user: User): Promise<ForumMail> {
    return { isOn: await this.followers.isMailOn(user.id) };
  }

  @Put('mail')
  @ApiOperation({ summary: 'Turn all email about the community on or off' })
  @ApiResponse({ status: 200, standardSchema: forumMail })
  async setMail(@CurrentUser() user: User, @Body({ schema: forumMail }) body: ForumMail): Promise<ForumMail> {
    await this.followers.setMail(user.id, body.isOn);
    return body;
  }

  @Get('muted')
  @ApiOperation({ summary: 'List the threads whose email you muted' })
  @ApiResponse({ status: 200, standardSchema: forumMuted })
  async muted(@CurrentUser() user: User): Promise<ForumMuted> {
    return { threads: await this.followers.muted(user.id) };
  }

  @Get('posts/:id/mute')
  @ApiOperation({ summary: 'Get whether you get email about a thread' })
  @ApiResponse({ status: 200, standardSchema: forumThreadMail })
  async threadMail(@CurrentUser() user: User, @Param('id') id: string): Promise<ForumThreadMail> {
    return isUuid(id) ? this.followers.threadMail(id, user.id) : { isFollowing: false, isMuted: false };
  }

  @Put('posts/:id/mute')
  @ApiOperation({ summary: 'Mute the email about a thread, or end it' })
  @ApiResponse({ status: 200, standardSchema: forumThreadMail })
  @ApiResponse(noPost)
  async mute(
    @CurrentUser() user: User,
    @Param('id') id: string,
    @Body({ schema: forumMute }) body: ForumMute,
  ): Promise<ForumThreadMail> {
    const isKnown = isUuid(id) && (await this.followers.mute(id, user.id, body.isMuted));
    if (!isKnown) throw new PortalError('forum.postNotFound');
    return { isFollowing: true, ...body };
  }
}

const title = 'Mute this thread?';

/** The link at the end of each mail. Opening it changes nothing; email programs post to it (RFC 8058). */
@ApiTags('Community')
@Controller('api/forum/unsubscribe')
export class ForumUnsubscribeController {
  constructor(
    private readonly mails: ForumMails,
    private readonly followers: ForumFollowersRepository,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Show the page that ends the email about a thread' })
  @ApiResponse(pageResponse)
  @ApiResponse({ status: 410, description: 'This portal did not make the link.' })
  show(@Query('token') token: unknown, @Res() reply: FastifyReply): void {
    this.require(token);
    send(
      reply,
      noticePage({
        title,
        paragraphs: ['You get email about new replies to this thread because you wrote in it.'],
        form: { action: `/api/forum/unsubscribe?token=${token as string}`, submit: 'Mute thread' },
      }),
    );
  }

  @Post()
  @HttpCode(200)
  @ReadsForms()
  @ApiOperation({ summary: 'End the email about a thread, with one click' })
  @ApiResponse(pageResponse)
  @ApiResponse({ status: 410, description: 'This portal did not make the link.' })
  async end(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    const { postId, userId } = this.require(token);
    await this.followers.mute(postId, userId, true);
    send(
      reply,
      noticePage({ title: 'Thread muted', paragraphs: ['You won’t get email about this thread.'] }),
    );
  }

  private require(token: unknown): { postId: string; userId: string } {
    const known = typeof token === 'string' ? this.mails.read(token) : null;
    if (known === null) throw new PortalError('auth.linkInvalid');
    return known;
  }
}

function send(reply: FastifyReply, html: string): void {
  sendPage(reply.header('cache-control', 'no-store'), html);
}
