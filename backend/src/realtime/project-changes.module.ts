import { Global, Module } from '@nestjs/common';
import { ForumChanges } from './forum.changes.js';
import { ProjectChanges } from './project.changes.js';

/** Separate from the sockets, so that modules that change projects or the community do not depend on them. */
@Global()
@Module({ providers: [ForumChanges, ProjectChanges], exports: [ForumChanges, ProjectChanges] })
export class ProjectChangesModule {}
