import {
  Body,
  Controller,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Req,
  UseInterceptors,
} from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  changeForumPost,
  forumMe,
  forumNews,
  forumNewsQuery,
  forumPost,
  forumPosts,
  forumPostsQuery,
  forumPreview,
  forumPreviewBody,
  forumReplies,
  forumRepliesQuery,
  forumReply,
  forumReports,
  forumSimilar,
  forumSimilarQuery,
  moderateForumPost,
  moderateForumReply,
  newForumPost,
  changeForumReply,
  newForumReply,
  reportForumPost,
  resolveForumPost,
} from '@orange-id/contract/forum.schema';
import type {
  ChangeForumPost,
  ChangeForumReply,
  ForumMe,
  ForumNews,
  ForumNewsQuery,
  ForumPost,
  ForumPosts,
  ForumPostsQuery,
  ForumPreview,
  ForumPreviewBody,
  ForumReplies,
  ForumRepliesQuery,
  ForumReply,
  ForumReports,
  ForumSimilar,
  ForumSimilarQuery,
  ModerateForumPost,
  ModerateForumReply,
  NewForumPost,
  NewForumReply,
  ReportForumPost,
  ResolveForumPost,
} from '@orange-id/contract/forum.schema';
import { limits } from '@orange-id/contract/limits';
import type { FastifyRequest } from 'fastify';
import type { Authenticated } from '../auth/access-token.verifier.js';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { ForumChanges } from '../realtime/forum.changes.js';
import { ForumModeration } from './forum.moderation.js';
import { ForumService, type Writer } from './forum.service.js';

const noPost = { status: 404, description: 'There is no such post, or it belongs to another user.' };
const noReply = { status: 404, description: 'There is no such reply, or it belongs to another user.' };
const noName = { status: 403, description: 'The caller’s profile has no display name.' };
const locked = { status: 409, description: 'An administrator locked the post.' };
const full = {
  status: 409,
  description: `The caller’s posts and replies have ${limits.forumBytesPerUser / 1e6} MB, the maximum.`,
};
const lockedOrFull = {
  status: 409,
  description: `An administrator locked the post. Or: ${full.description}`,
};
const tooMany = { status: 429, description: 'Too many requests; see Retry-After.' };
const notAdministrator = { status: 403, description: 'The caller is not an administrator.' };

/** The caller with their address. Only on routes with `BearerGuard`. */
const CurrentWriter = createParamDecorator((_: unknown, context: ExecutionContext): Writer => {
  const request = context.switchToHttp().getRequest<FastifyRequest & { authenticated: Authenticated }>();
  const { user, sessionId } = request.authenticated;
  return { user, sessionId, address: request.ip };
});

/** What everybody may read. */
@ApiTags('Community')
@Controller('api/forum')
@UseInterceptors(NoStoreInterceptor)
export class ForumReadingController {
  constructor(
    private readonly forum: ForumService,
    private readonly changes: ForumChanges,
  ) {}

  @Get('posts')
  @ApiOperation({ summary: 'List or search the posts of the community' })
  @ApiResponse({ status: 200, standardSchema: forumPosts })
  @ApiResponse(tooMany)
  list(
    @Query({ schema: forumPostsQuery }) query: ForumPostsQuery,
    @Req() request: FastifyRequest,
  ): Promise<ForumPosts> {
    return this.forum.list(query, request.ip);
  }

  @Get('posts/similar')
  @ApiOperation({ summary: 'List the posts whose titles are most like a given one' })
  @ApiResponse({ status: 200, standardSchema: forumSimilar })
  @ApiResponse(tooMany)
  similar(
    @Query({ schema: forumSimilarQuery }) { title }: ForumSimilarQuery,
    @Req() request: FastifyRequest,
  ): Promise<ForumSimilar> {
    return this.forum.similar(title, request.ip);
  }

  @Get('posts/:id')
  @ApiOperation({ summary: 'Get a post; a hidden one has no title and no content' })
  @ApiResponse({ status: 200, standardSchema: forumPost })
  @ApiResponse({ status: 404, description: 'There is no such post.' })
  post(@Param('id') id: string): Promise<ForumPost> {
    return this.forum.post(id);
  }

  @Get('posts/:id/replies')
  @ApiOperation({ summary: 'List the replies to a post, oldest first' })
  @ApiResponse({ status: 200, standardSchema: forumReplies })
  @ApiResponse({ status: 404, description: 'There is no such post, or no reply `around`.' })
  replies(
    @Param('id') id: string,
    @Query({ schema: forumRepliesQuery }) query: ForumRepliesQuery,
  ): Promise<ForumReplies> {
    return this.forum.replies(id, query);
  }

  @Get('news')
  @ApiOperation({
    summary: 'Get what changed in the community since you last asked',
    description: 'For pages without a live connection. Answered from memory, without a query.',
  })
  @ApiResponse({ status: 200, standardSchema: forumNews })
  news(@Query({ schema: forumNewsQuery }) { after }: ForumNewsQuery): ForumNews {
    return this.changes.newsAfter(after);
  }
}

/** What signed-in users write. */
@ApiTags('Community')
@Controller('api/forum')
@RequiresSignIn()
export class ForumController {
  constructor(
    private readonly forum: ForumService,
    private readonly moderation: ForumModeration,
  ) {}

  @Get('me')
  @ApiOperation({ summary: 'Get what you may do in the community' })
  @ApiResponse({ status: 200, standardSchema: forumMe })
  me(@CurrentWriter() { user }: Writer): Promise<ForumMe> {
    return this.forum.me(user);
  }

  @Post('preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'Render Markdown as a post would show it' })
  @ApiResponse({ status: 200, standardSchema: forumPreview })
  @ApiResponse(tooMany)
  preview(
    @CurrentWriter() { user }: Writer,
    @Body({ schema: forumPreviewBody }) { content }: ForumPreviewBody,
  ): Promise<ForumPreview> {
    return this.forum.preview(user, content);
  }

  @Post('posts')
  @ApiOperation({
    summary: 'Write a post',
    description: 'The same post again within a minute returns the first one.',
  })
  @ApiResponse({ status: 201, standardSchema: forumPost })
  @ApiResponse(noName)
  @ApiResponse(full)
  @ApiResponse(tooMany)
  create(
    @CurrentWriter() writer: Writer,
    @Body({ schema: newForumPost }) body: NewForumPost,
  ): Promise<ForumPost> {
    return this.forum.create(writer, body);
  }

  @Patch('posts/:id')
  @ApiOperation({ summary: 'Change one of your posts' })
  @ApiResponse({ status: 200, standardSchema: forumPost })
  @ApiResponse(noName)
  @ApiResponse(noPost)
  @ApiResponse(lockedOrFull)
  @ApiResponse(tooMany)
  change(
    @CurrentWriter() writer: Writer,
    @Param('id') id: string,
    @Body({ schema: changeForumPost }) body: ChangeForumPost,
  ): Promise<ForumPost> {
    return this.forum.change(writer, id, body);
  }

  @Delete('posts/:id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete one of your posts with its replies' })
  @ApiResponse({ status: 204, description: 'The post is deleted.' })
  @ApiResponse(noPost)
  @ApiResponse(tooMany)
  remove(@CurrentWriter() writer: Writer, @Param('id') id: string): Promise<void> {
    return this.forum.remove(writer, id);
  }

  @Post('posts/:id/resolve')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark one of your posts as resolved, with the reply that answered it' })
  @ApiResponse({ status: 200, standardSchema: forumPost })
  @ApiResponse(noPost)
  @ApiResponse(locked)
  @ApiResponse(tooMany)
  resolve(
    @CurrentWriter() writer: Writer,
    @Param('id') id: string,
    @Body({ schema: resolveForumPost }) body: ResolveForumPost,
  ): Promise<ForumPost> {
    return this.forum.resolve(writer, id, body);
  }

  @Post('posts/:id/replies')
  @ApiOperation({
    summary: 'Reply to a post',
    description: 'The same reply again within a minute returns the first one.',
  })
  @ApiResponse({ status: 201, standardSchema: forumReply })
  @ApiResponse(noName)
  @ApiResponse({ status: 404, description: 'There is no such post.' })
  @ApiResponse(lockedOrFull)
  @ApiResponse(tooMany)
  reply(
    @CurrentWriter() writer: Writer,
    @Param('id') id: string,
    @Body({ schema: newForumReply }) { content }: NewForumReply,
  ): Promise<ForumReply> {
    return this.forum.addReply(writer, id, content);
  }

  @Patch('posts/:id/replies/:replyId')
  @ApiOperation({ summary: 'Change one of your replies' })
  @ApiResponse({ status: 200, standardSchema: forumReply })
  @ApiResponse(noName)
  @ApiResponse(noReply)
  @ApiResponse(lockedOrFull)
  @ApiResponse(tooMany)
  changeReply(
    @CurrentWriter() writer: Writer,
    @Param('id') id: string,
    @Param('replyId') replyId: string,
    @Body({ schema: changeForumReply }) body: ChangeForumReply,
  ): Promise<ForumReply> {
    return this.forum.changeReply(writer, id, replyId, body);
  }

  @Delete('posts/:id/replies/:replyId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete one of your replies' })
  @ApiResponse({ status: 204, description: 'The reply is deleted.' })
  @ApiResponse(noReply)
  @ApiResponse(tooMany)
  removeReply(
    @CurrentWriter() writer: Writer,
    @Param('id') id: string,
    @Param('replyId') replyId: string,
  ): Promise<void> {
    return this.forum.removeReply(writer, id, replyId);
  }

  @Post('posts/:id/report')
  @HttpCode(204)
  @ApiOperation({ summary: 'Report a post or a reply to the administrators' })
  @ApiResponse({ status: 204, description: 'The report is stored.' })
  @ApiResponse({ status: 404, description: 'There is no such post or reply.' })
  @ApiResponse(tooMany)
  report(
    @CurrentWriter() writer: Writer,
    @Param('id') id: string,
    @Body({ schema: reportForumPost }) body: ReportForumPost,
  ): Promise<void> {
    return this.moderation.report(writer, id, body);
  }

  @Post('posts/:id/moderate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Hide, lock, pin or move a post, as an administrator' })
  @ApiResponse({ status: 200, standardSchema: forumPost })
  @ApiResponse(notAdministrator)
  @ApiResponse({ status: 404, description: 'There is no such post.' })
  moderatePost(
    @CurrentWriter() writer: Writer,
    @Param('id') id: string,
    @Body({ schema: moderateForumPost }) body: ModerateForumPost,
  ): Promise<ForumPost> {
    return this.moderation.moderatePost(writer, id, body);
  }

  @Post('posts/:id/replies/:replyId/moderate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Hide a reply or show it again, as an administrator' })
  @ApiResponse({ status: 200, standardSchema: forumReply })
  @ApiResponse(notAdministrator)
  @ApiResponse({ status: 404, description: 'There is no such reply.' })
  moderateReply(
    @CurrentWriter() writer: Writer,
    @Param('id') id: string,
    @Param('replyId') replyId: string,
    @Body({ schema: moderateForumReply }) body: ModerateForumReply,
  ): Promise<ForumReply> {
    return this.moderation.moderateReply(writer, id, replyId, body);
  }

  @Get('reports')
  @ApiOperation({ summary: 'List what was reported, the newest report first, as an administrator' })
  @ApiResponse({ status: 200, standardSchema: forumReports })
  @ApiResponse(notAdministrator)
  reports(@CurrentWriter() writer: Writer): Promise<ForumReports> {
    return this.moderation.reports(writer);
  }

  @Delete('reports/:id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Close a report and the earlier ones about the same text, as an administrator' })
  @ApiResponse({ status: 204, description: 'The report is closed.' })
  @ApiResponse(notAdministrator)
  @ApiResponse({ status: 404, description: 'There is no such report.' })
  closeReport(@CurrentWriter() writer: Writer, @Param('id') id: string): Promise<void> {
    return this.moderation.closeReport(writer, id);
  }
}
