import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { Environment } from '../config/environment.js';
import type { DatabaseAddress } from './embedded.postgres.js';
import { entities } from './entities.js';
import { Init1763683200000 } from './migrations/0001-init.js';

/** Injection token of the `DatabaseAddress` in force, for connections outside TypeORM's pool. */
export const DATABASE_ADDRESS = Symbol('databaseAddress');

export function dataSourceOptions(
  address: DatabaseAddress,
  environment: Environment,
): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    host: address.host,
    port: address.port,
    username: address.user,
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.ssl === undefined ? {} : { ssl: address.ssl as object }),
    database: address.database,
    entities,
    migrations: [Init1763683200000],
    migrationsRun: false,
    synchronize: false,
    // TypeORM logs a failed query with its parameters; the error filter logs what matters, without them.
    logging: false,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    poolSize: environment.DATABASE_POOL,
    connectTimeoutMS: 5_000,
    extra: { statement_timeout: 30_000, query_timeout: 5_000, application_name: 'orange-portal' },
  };
}
