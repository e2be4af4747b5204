import { DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { AppearanceController, ServedAppearanceController } from './appearance.controller.js';
import { AppearanceRepository } from './appearance.repository.js';
import { AppearanceService } from './appearance.service.js';

/** The look of projects' login panels, for the projects and the identity service of this portal only. */
@Module({})
export class AppearanceModule {
  /** `profile` provides the conversion and the storage of pictures. */
  static with(environment: Environment, profile: DynamicModule): DynamicModule {
    if (environment.IDENTITY_URL !== undefined) return { module: AppearanceModule };
    return {
      module: AppearanceModule,
      imports: [profile],
      controllers: [AppearanceController, ServedAppearanceController],
      providers: [AppearanceRepository, AppearanceService],
    };
  }
}
