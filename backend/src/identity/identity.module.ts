import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessTokenSigner } from './access-token.signer.js';
import { AccessTokenVerifier } from './access-token.verifier.js';
import { BearerStrategy } from './bearer.strategy.js';
import { Credential } from './credential.entity.js';
import { EmailController } from './email.controller.js';
import { EmailService } from './email.service.js';
import { LinkedIdentity } from './linked-identity.entity.js';
import { PasswordHasher } from './password.hasher.js';
import { RefreshToken } from './refresh-token.entity.js';
import { SessionController } from './session.controller.js';
import { SessionEndings } from './session.endings.js';
import { SignInLimits } from './sign-in.limits.js';
import { SignInsService } from './sign-ins.service.js';
import { SigningKey } from './signing-key.entity.js';
import { SigningKeysService } from './signing-keys.service.js';
import { User } from './user.entity.js';

/** The embedded identity service. Global, because `BearerGuard` needs its verifier wherever it is used. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Credential, LinkedIdentity, RefreshToken, SigningKey, User])],
  controllers: [EmailController, SessionController],
  providers: [
    AccessTokenSigner,
    AccessTokenVerifier,
    BearerStrategy,
    EmailService,
    PasswordHasher,
    SessionEndings,
    SignInLimits,
    SignInsService,
    SigningKeysService,
  ],
  exports: [AccessTokenVerifier, SessionEndings, TypeOrmModule],
})
export class IdentityModule {}
