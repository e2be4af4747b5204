import { Global, Module } from '@nestjs/common';
import { ProjectChanges } from './project.changes.js';

/** Apart from the sockets, so that the parts that change projects need nothing of them. */
@Global()
@Module({ providers: [ProjectChanges], exports: [ProjectChanges] })
export class ProjectChangesModule {}
