import { DynamicModule, Module } from '@nestjs/common';
import { AppearanceModule } from './appearance/appearance.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Environment } from './config/environment.js';
import type { LoaderFile } from './config/loader.file.js';
import { DatabaseModule } from './database/database.module.js';
import type { DatabaseAddress } from './config/database.address.js';
import { ForumModule } from './forum/forum.module.js';
import { HealthModule } from './health/health.module.js';
import { LeavingModule } from './leaving/leaving.module.js';
import { MailModule } from './mail/mail.module.js';
import { MeteredModule } from './metered/metered.module.js';
import { ProfileModule } from './profile/profile.module.js';
import { ProjectChangesModule } from './realtime/project-changes.module.js';
import { RealtimeModule } from './realtime/realtime.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { RemoteIdentityModule } from './identity/remote/remote-identity.module.js';
import { KeysModule } from './keys/keys.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { ProjectUsersModule } from './project-users/project-users.module.js';
import { RewardsModule } from './rewards/rewards.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { UsageModule } from './usage/usage.module.js';

/** The whole backend: one module per capability. */
@Module({})
export class AppModule {
  static with(environment: Environment, address: DatabaseAddress, loader?: LoaderFile): DynamicModule {
    const profile = ProfileModule.with(environment);
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(environment, loader),
        DatabaseModule.with(address, environment),
        SecretsModule,
        HealthModule,
        ...(environment.IDENTITY_URL
          ? [RemoteIdentityModule]
          : [IdentityModule, MailModule.with(environment)]),
        profile,
        AppearanceModule.with(environment, profile),
        ProjectChangesModule,
        RealtimeModule,
        UsageModule,
        MeteredModule,
        KeysModule,
        ProjectsModule.with(environment),
        RewardsModule,
        ForumModule.with(environment),
        ...(environment.IDENTITY_URL ? [] : [ProjectUsersModule, LeavingModule]),
      ],
    };
  }
}
