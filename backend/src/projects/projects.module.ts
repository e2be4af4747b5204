import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';

@Module({ imports: [KeysModule], controllers: [ProjectsController], providers: [ProjectsService] })
export class ProjectsModule {}
