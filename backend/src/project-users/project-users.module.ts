import { Module } from '@nestjs/common';
import { UsageModule } from '../usage/usage.module.js';
import { ProjectUsersController } from './project-users.controller.js';
import { ProjectUsersRepository } from './project-users.repository.js';
import { ProjectUsersService } from './project-users.service.js';
import { SignInRetention } from './sign-in.retention.js';

/** What the owner of a project sees of the people who sign in through it, and of refused sign-ins. */
@Module({
  imports: [UsageModule],
  controllers: [ProjectUsersController],
  providers: [ProjectUsersRepository, ProjectUsersService, SignInRetention],
})
export class ProjectUsersModule {}
