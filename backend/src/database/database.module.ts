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
          retryAttempts: 0,
        }),
      ],
      providers: [{ provide: DATABASE_ADDRESS, useValue: address }],
      exports: [DATABASE_ADDRESS],
    };
  }
}
