import { DynamicModule, Module } from '@nestjs/common';
import { ConfigController } from './config.controller.js';
import { Environment } from './environment.js';
import { ENVIRONMENT, LOADER } from './environment.token.js';
import type { LoaderFile } from './loader.file.js';
import { WAITS, waits } from './waits.js';

@Module({})
export class ConfigModule {
  static with(environment: Environment, loader?: LoaderFile): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: ENVIRONMENT, useValue: environment },
        { provide: LOADER, useValue: loader },
        { provide: WAITS, useFactory: () => ({ ...waits }) },
      ],
      controllers: [ConfigController],
      exports: [ENVIRONMENT, WAITS],
    };
  }
}
