import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Environment } from '../config/environment.js';
import { AccountChanges } from '../identity/changes/account.changes.js';
import { AccountChangeRow } from '../identity/entities/account-change.entity.js';
import { KeysModule } from '../keys/keys.module.js';
import { ProjectChanges } from '../realtime/project.changes.js';
import { EmbeddedProjectsController } from './embedded.controller.js';
import { ProjectUrl } from './project-url.entity.js';
import { Project } from './project.entity.js';
import { ProjectLimits } from './project.limits.js';
import { ProjectMirror } from './project.mirror.js';
import { ProjectNames } from './project.names.js';
import { ProjectsController } from './projects.controller.js';
import { EmbeddedProjects } from './projects.embedded.js';
import { Projects } from './projects.port.js';
import { ProjectsRepository } from './projects.repository.js';
import { RemoteProjects } from './projects.remote.js';

/** The project service: embedded, or a hosted one if `PROJECT_SERVICE_URL` is set. */
@Module({})
export class ProjectsModule {
  static with({ PROJECT_SERVICE_URL: url, PROJECT_SERVICE_KEY: key }: Environment): DynamicModule {
    const isHosted = url !== undefined && key !== undefined;
    return {
      module: ProjectsModule,
      imports: [KeysModule, TypeOrmModule.forFeature([AccountChangeRow, Project, ProjectUrl])],
      controllers: isHosted ? [ProjectsController] : [ProjectsController, EmbeddedProjectsController],
      providers: isHosted
        ? [
            ProjectLimits,
            ProjectMirror,
            {
              provide: Projects,
              useFactory: (mirror: ProjectMirror, projectLimits: ProjectLimits, changes: ProjectChanges) =>
                new RemoteProjects({ url, key }, mirror, projectLimits, changes),
              inject: [ProjectMirror, ProjectLimits, ProjectChanges],
            },
          ]
        : [
            AccountChanges,
            ProjectLimits,
            ProjectNames,
            ProjectsRepository,
            EmbeddedProjects,
            { provide: Projects, useExisting: EmbeddedProjects },
          ],
    };
  }
}
