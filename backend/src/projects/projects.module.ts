import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { DeletionController } from './deletion.controller.js';
import { ProjectLimits } from './project.limits.js';
import { ProjectsController } from './projects.controller.js';
import { EmbeddedProjects } from './projects.embedded.js';
import { Projects } from './projects.port.js';

@Module({
  imports: [KeysModule],
  controllers: [ProjectsController, DeletionController],
  providers: [ProjectLimits, EmbeddedProjects, { provide: Projects, useExisting: EmbeddedProjects }],
})
export class ProjectsModule {}
