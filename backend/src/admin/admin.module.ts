import { DynamicModule, Module } from '@nestjs/common';
import { Administrators } from '../auth/administrators.js';
import { ConfigModule } from '../config/config.module.js';
import type { DatabaseAddress } from '../config/database.address.js';
import type { Environment } from '../config/environment.js';
import { DatabaseModule } from '../database/database.module.js';
import { HealthModule } from '../health/health.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { MailModule } from '../mail/mail.module.js';
import { ProjectChangesModule } from '../realtime/project-changes.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { AdminRepository } from './admin.repository.js';
import { AdminService } from './admin.service.js';

/** The portal's services without its server, sockets and work in the background, for the commands of administrators. */
@Module({})
export class AdminModule {
  static with(environment: Environment, address: DatabaseAddress): DynamicModule {
    return {
      module: AdminModule,
      imports: [
        ConfigModule.with(environment),
        DatabaseModule.with(address, environment),
        SecretsModule,
        HealthModule,
        MailModule.outboxOnly(),
        ProjectChangesModule,
        IdentityModule,
        KeysModule,
      ],
      providers: [Administrators, AdminRepository, AdminService],
    };
  }
}
