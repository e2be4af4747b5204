import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Administrators } from '../auth/administrators.js';
import { ForumPostRow } from './forum-post.entity.js';
import { ForumReplyRow } from './forum-reply.entity.js';
import { ForumController, ForumReadingController } from './forum.controller.js';
import { ForumModeration } from './forum.moderation.js';
import { ForumRepository } from './forum.repository.js';
import { ForumService } from './forum.service.js';

/** The community: posts, replies and their moderation. */
@Module({
  imports: [TypeOrmModule.forFeature([ForumPostRow, ForumReplyRow])],
  controllers: [ForumReadingController, ForumController],
  providers: [Administrators, ForumModeration, ForumRepository, ForumService],
})
export class ForumModule {}
