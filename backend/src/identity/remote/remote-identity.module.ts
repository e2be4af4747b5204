import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { SessionEndings } from '../../auth/session.endings.js';
import { AccessTokenVerifier } from '../../auth/access-token.verifier.js';
import { BearerStrategy } from '../../auth/bearer.strategy.js';
import { RequestsPerUser } from '../../auth/requests.per.user.js';
import { User } from '../../auth/user.entity.js';
import { LinkedWalletsService } from '../wallet/linked-wallets.service.js';
import { IdentityClient } from './identity.client.js';
import { RemoteController } from './remote.controller.js';
import { RemoteUsers } from './remote.users.js';
import { RemoteVerifier } from './remote.verifier.js';

/** Replaces the embedded identity service if `IDENTITY_URL` names a hosted one. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([User])],
  controllers: [RemoteController],
  providers: [
    BearerStrategy,
    {
      provide: IdentityClient,
      useFactory: ({ IDENTITY_URL, SUBSCRIPTION_KEY }: Environment) =>
        new IdentityClient({ url: IDENTITY_URL as string, subscriptionKey: SUBSCRIPTION_KEY }),
      inject: [ENVIRONMENT],
    },
    LinkedWalletsService,
    RemoteUsers,
    RemoteVerifier,
    RequestsPerUser,
    { provide: AccessTokenVerifier, useExisting: RemoteVerifier },
    SessionEndings,
  ],
  exports: [AccessTokenVerifier, LinkedWalletsService, RequestsPerUser, SessionEndings, TypeOrmModule],
})
export class RemoteIdentityModule {}
