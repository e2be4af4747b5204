import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessTokenSigner } from './access-token.signer.js';
import { AccessTokenVerifier } from './access-token.verifier.js';
import { BearerStrategy } from './bearer.strategy.js';
import { Credential } from './credential.entity.js';
import { EmailController } from './email.controller.js';
import { EmailService } from './email.service.js';
import { LinkedIdentity } from './linked-identity.entity.js';
import { LinkedWalletsService } from './linked-wallets.service.js';
import { NoncesService } from './nonces.service.js';
import { PasswordHasher } from './password.hasher.js';
import { RefreshToken } from './refresh-token.entity.js';
import { SessionController } from './session.controller.js';
import { SessionEndings } from './session.endings.js';
import { SettingsController } from './settings.controller.js';
import { SignInLimits } from './sign-in.limits.js';
import { SignInsService } from './sign-ins.service.js';
import { SigningKey } from './signing-key.entity.js';
import { SigningKeysService } from './signing-keys.service.js';
import { SocialController } from './social.controller.js';
import { User } from './user.entity.js';
import { WalletController } from './wallet.controller.js';
import { WalletService } from './wallet.service.js';

/** The embedded identity service. Global, because `BearerGuard` needs its verifier wherever it is used. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Credential, LinkedIdentity, RefreshToken, SigningKey, User])],
  controllers: [EmailController, SessionController, SettingsController, SocialController, WalletController],
  providers: [
    AccessTokenSigner,
    AccessTokenVerifier,
    BearerStrategy,
    EmailService,
    LinkedWalletsService,
    NoncesService,
    PasswordHasher,
    SessionEndings,
    SignInLimits,
    SignInsService,
    SigningKeysService,
    WalletService,
  ],
  exports: [AccessTokenVerifier, LinkedWalletsService, SessionEndings, TypeOrmModule],
})
export class IdentityModule {}
