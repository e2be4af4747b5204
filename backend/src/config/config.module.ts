import { DynamicModule, Module } from '@nestjs/common';
import { ConfigController } from './config.controller.js';
import { Environment } from './environment.js';
import { ENVIRONMENT } from './environment.token.js';
import { WAITS, waits } from './waits.js';

@Module({})
export class ConfigModule {
  static with(environment: Environment): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: ENVIRONMENT, useValue: environment },
        { provide: WAITS, useFactory: () => ({ ...waits }) },
      ],
      controllers: [ConfigController],
      exports: [ENVIRONMENT, WAITS],
    };
  }
}
