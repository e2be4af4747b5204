import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KeysModule } from '../keys/keys.module.js';
import { AccessTokenSigner } from './tokens/access-token.signer.js';
import { AccessTokenVerifier } from '../auth/access-token.verifier.js';
import { AccountChangeRow } from './entities/account-change.entity.js';
import { AccountChanges } from './changes/account.changes.js';
import { AccountNotices } from './mails/account.notices.js';
import { AppFlows } from './apps/app.flows.js';
import { AppsController } from './apps/apps.controller.js';
import { AppsService } from './apps/apps.service.js';
import { AuthorizeController } from './pages/authorize.controller.js';
import { BearerStrategy } from '../auth/bearer.strategy.js';
import { ChangesController } from './changes/changes.controller.js';
import { Credential } from './entities/credential.entity.js';
import { EconomyController } from './economy.controller.js';
import { EmailController } from './email/email.controller.js';
import { EmailLinks } from './mails/email.links.js';
import { EmailProof } from './email/email.proof.js';
import { EmailService } from './email/email.service.js';
import { EmbeddedVerifier } from './sessions/embedded.verifier.js';
import { LinkedIdentity } from './entities/linked-identity.entity.js';
import { LinkController } from './pages/link.controller.js';
import { LinkedWalletsService } from './wallet/linked-wallets.service.js';
import { LinkedAccountsController } from './linked-accounts/linked-accounts.controller.js';
import { LinkedAccountsService } from './linked-accounts/linked-accounts.service.js';
import { PasswordHasher } from './email/password.hasher.js';
import { PasswordResets } from './email/password.resets.js';
import { FreshProofGuard } from './browser/fresh.proof.guard.js';
import { ProofController } from './proof/proof.controller.js';
import { RefreshToken } from './entities/refresh-token.entity.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SignInOutcomes } from '../auth/sign-in.outcomes.js';
import { SessionEndings } from '../auth/session.endings.js';
import { SettingsController } from './settings.controller.js';
import { SignInLimits } from './limits/sign-in.limits.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SigningKey } from './entities/signing-key.entity.js';
import { SigningKeysService } from './tokens/signing-keys.service.js';
import { BrowserSessions } from './browser/browser.session.js';
import { OpenidClients } from './social/openid.clients.js';
import { SocialAccounts } from './social/social.accounts.js';
import { SocialController } from './pages/social.controller.js';
import { SocialFlows } from './social/social.flows.js';
import { RequestsPerUser } from '../auth/requests.per.user.js';
import { User } from '../auth/user.entity.js';
import { TenantGuard } from './tenants/tenant.guard.js';
import { TenantRefusals } from './tenants/tenant.refusals.js';
import { TenantRefusalsRepository } from './tenants/tenant.refusals.repository.js';
import { Tenants } from './tenants/tenants.service.js';
import { TenantsRepository } from './tenants/tenants.repository.js';
import { WalletController } from './wallet/wallet.controller.js';
import { WalletProofModule } from './wallet/wallet-proof.module.js';
import { WalletService } from './wallet/wallet.service.js';

/** The embedded identity service. Global, because `BearerGuard` needs its verifier wherever it is used. */
@Global()
@Module({
  imports: [
    KeysModule,
    WalletProofModule,
    TypeOrmModule.forFeature([AccountChangeRow, Credential, LinkedIdentity, RefreshToken, SigningKey, User]),
  ],
  controllers: [
    AppsController,
    AuthorizeController,
    ChangesController,
    EconomyController,
    EmailController,
    LinkController,
    LinkedAccountsController,
    ProofController,
    SessionsController,
    SettingsController,
    SocialController,
    WalletController,
  ],
  providers: [
    AccessTokenSigner,
    AccountChanges,
    AccountNotices,
    AppFlows,
    AppsService,
    { provide: AccessTokenVerifier, useClass: EmbeddedVerifier },
    BearerStrategy,
    BrowserSessions,
    EmailLinks,
    EmailProof,
    EmailService,
    FreshProofGuard,
    LinkedWalletsService,
    LinkedAccountsService,
    OpenidClients,
    PasswordHasher,
    PasswordResets,
    RequestsPerUser,
    SessionEndings,
    SignInLimits,
    SignInOutcomes,
    SessionsRepository,
    SessionsService,
    SigningKeysService,
    SocialAccounts,
    SocialFlows,
    TenantGuard,
    Tenants,
    TenantRefusals,
    TenantRefusalsRepository,
    TenantsRepository,
    WalletService,
  ],
  exports: [
    AccessTokenVerifier,
    AccountChanges,
    AccountNotices,
    BrowserSessions,
    EmailLinks,
    EmailProof,
    EmailService,
    FreshProofGuard,
    SignInLimits,
    LinkedWalletsService,
    RequestsPerUser,
    SessionEndings,
    SessionsService,
    TenantGuard,
    TenantRefusalsRepository,
    Tenants,
    TypeOrmModule,
  ],
})
export class IdentityModule {}
