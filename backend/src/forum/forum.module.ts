import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Administrators } from '../auth/administrators.js';
import type { Environment } from '../config/environment.js';
import { ForumPostRow } from './forum-post.entity.js';
import { ForumReplyRow } from './forum-reply.entity.js';
import { ForumController, ForumReadingController } from './forum.controller.js';
import { ForumFollowersRepository } from './forum.followers.repository.js';
import { ForumMailController, ForumUnsubscribeController } from './forum.mail.controller.js';
import { ForumMails } from './forum.mails.js';
import { ForumModeration } from './forum.moderation.js';
import { ForumRepository } from './forum.repository.js';
import { ForumService } from './forum.service.js';

/** The community: posts, replies and their moderation, and mail about them if this portal sends mail. */
@Module({})
export class ForumModule {
  static with({ IDENTITY_URL }: Environment): DynamicModule {
    const sendsMail = IDENTITY_URL === undefined;
    return {
      module: ForumModule,
      imports: [TypeOrmModule.forFeature([ForumPostRow, ForumReplyRow])],
      controllers: [
        ForumReadingController,
        ForumController,
        ...(sendsMail ? [ForumMailController, ForumUnsubscribeController] : []),
      ],
      providers: [
        Administrators,
        ForumFollowersRepository,
        ForumModeration,
        ForumRepository,
        ForumService,
        ...(sendsMail ? [ForumMails] : []),
      ],
    };
  }
}
