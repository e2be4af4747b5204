import pg from 'pg';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { Environment } from '../config/environment.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { AfterCommit } from './after.commit.js';
import { Init1763683200000 } from './migrations/0001-init.js';
import { UsageExports1763769600000 } from './migrations/0002-usage-exports.js';
import { Identity1764028800000 } from './migrations/0003-identity.js';
import { Pictures1764115200000 } from './migrations/0004-pictures.js';
import { MirroredProjects1764201600000 } from './migrations/0005-mirrored-projects.js';
import { KeyProvenWallets1764374400000 } from './migrations/0007-key-proven-wallets.js';
import { SignInParties1764460800000 } from './migrations/0008-sign-in-parties.js';
import { AccountChanges1764547200000 } from './migrations/0009-account-changes.js';
import { DailyQuota1764633600000 } from './migrations/0010-daily-quota.js';
import { CallDetails1764720000000 } from './migrations/0011-call-details.js';
import { ConnectedWallets1764806400000 } from './migrations/0012-connected-wallets.js';
import { AddedTokens1764892800000 } from './migrations/0013-added-tokens.js';
import { KeyLifetimes1764982800000 } from './migrations/0014-key-lifetimes.js';
import { Tenants1765069200000 } from './migrations/0015-tenants.js';
import { SignIns1765155600000 } from './migrations/0016-sign-ins.js';
import { Appearances1765242000000 } from './migrations/0017-appearances.js';
import { Forum1765328400000 } from './migrations/0018-forum.js';
import { ForumMail1765414800000 } from './migrations/0019-forum-mail.js';
import { AccountDeletions1765501200000 } from './migrations/0020-account-deletions.js';
import { Games1765587600000 } from './migrations/0021-games.js';
import { ExportRepeats1765674000000 } from './migrations/0022-export-repeats.js';
import { DataArchives1765760400000 } from './migrations/0023-data-archives.js';
import { PendingEmails1765846800000 } from './migrations/0024-pending-emails.js';
import { OtherOrigins1765933200000 } from './migrations/0025-other-origins.js';
import { ProjectNames1766019600000 } from './migrations/0026-project-names.js';
import { KeptLoaders1766106000000 } from './migrations/0027-kept-loaders.js';
import { ArchiveAttempts1766192400000 } from './migrations/0028-archive-attempts.js';
import { Administration1766278800000 } from './migrations/0029-administration.js';
import { OwnerQuotas1766365200000 } from './migrations/0030-owner-quotas.js';
import { UsageShipments1766451600000 } from './migrations/0031-usage-shipments.js';
import { UsageCells1766538000000 } from './migrations/0032-usage-cells.js';
import { UsageKeyDays1766624400000 } from './migrations/0033-usage-key-days.js';
import { PooledClient } from './pooled.client.js';

/** Injection token of the current `DatabaseAddress`, for connections outside TypeORM's pool. */
export const DATABASE_ADDRESS = Symbol('databaseAddress');

export function dataSourceOptions(
  address: DatabaseAddress,
  environment: Environment,
): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    // The one in the bundle: TypeORM would load another copy from node_modules.
    driver: pg,
    host: address.host,
    port: address.port,
    username: address.user,
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.ssl === undefined ? {} : { ssl: address.ssl as object }),
    database: address.database,
    migrations: [
      Init1763683200000,
      UsageExports1763769600000,
      Identity1764028800000,
      Pictures1764115200000,
      MirroredProjects1764201600000,
      KeyProvenWallets1764374400000,
      SignInParties1764460800000,
      AccountChanges1764547200000,
      DailyQuota1764633600000,
      CallDetails1764720000000,
      ConnectedWallets1764806400000,
      AddedTokens1764892800000,
      KeyLifetimes1764982800000,
      Tenants1765069200000,
      SignIns1765155600000,
      Appearances1765242000000,
      Forum1765328400000,
      ForumMail1765414800000,
      AccountDeletions1765501200000,
      Games1765587600000,
      ExportRepeats1765674000000,
      DataArchives1765760400000,
      PendingEmails1765846800000,
      OtherOrigins1765933200000,
      ProjectNames1766019600000,
      KeptLoaders1766106000000,
      ArchiveAttempts1766192400000,
      Administration1766278800000,
      OwnerQuotas1766365200000,
      UsageShipments1766451600000,
      UsageCells1766538000000,
      UsageKeyDays1766624400000,
    ],
    subscribers: [AfterCommit],
    migrationsRun: false,
    synchronize: false,
    // TypeORM would log a failed query with its parameters; the error filter logs what matters, without them.
    logging: false,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    poolSize: environment.DATABASE_POOL,
    // Together below 5.5 s, the longest that a request waits for a connection and then for its result.
    connectTimeoutMS: 2_000,
    extra: {
      // The server times out first, so that a slow statement costs only its transaction and not the connection.
      statement_timeout: 3_000,
      query_timeout: 3_300,
      // A statement that waits for a lock times out before the lock holder does, so that waits do not add up.
      lock_timeout: 2_000,
      // Frees the locks of a transaction whose end was lost in transit.
      idle_in_transaction_session_timeout: 10_000,
      application_name: 'orange-portal',
      Client: PooledClient,
      address,
    },
  };
}
