import { Global, Module } from '@nestjs/common';
import { ProjectChanges } from './project.changes.js';

/** Separate from the sockets, so that modules that change projects do not depend on them. */
@Global()
@Module({ providers: [ProjectChanges], exports: [ProjectChanges] })
export class ProjectChangesModule {}
