import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Environment } from '../config/environment.js';
import { DATABASE_ADDRESS, dataSourceOptions } from './database.options.js';
import type { DatabaseAddress } from '../config/database.address.js';

@Module({})
export class DatabaseModule {
  static with(address: DatabaseAddress, environment: Environment): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(address, environment),
          autoLoadEntities: true,
          // The first connection on a busy machine can take longer than a request may wait for one.
          retryAttempts: 5,
          retryDelay: 500,
        }),
      ],
      providers: [{ provide: DATABASE_ADDRESS, useValue: address }],
      exports: [DATABASE_ADDRESS],
    };
  }
}
