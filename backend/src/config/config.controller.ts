import { referencePaths } from '@orange-id/contract/reference.frame';
import { Controller, Get, Inject, Optional } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { publicConfig } from '@orange-id/contract/config.schema';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import { version } from '@orange-id/contract/version';
import { callbackUrlOf, servesMailbox } from './environment.js';
import type { Environment } from './environment.js';
import { ENVIRONMENT, LOADER } from './environment.token.js';
import type { LoaderFile } from './loader.file.js';
import { providerSourceOf } from './social.providers.js';

@ApiTags('Configuration')
@Controller('api/config')
export class ConfigController {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    @Inject(LOADER) @Optional() private readonly loader?: LoaderFile,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Get the public configuration' })
  @ApiResponse({ status: 200, standardSchema: publicConfig })
  read(): PublicConfig {
    return publicConfigOf(this.environment, this.loader);
  }
}

/** The public part of the configuration, field by field, so that a new secret can't leak by default. */
export function publicConfigOf(environment: Environment, loader?: LoaderFile): PublicConfig {
  return {
    publicUrl: environment.PUBLIC_URL,
    version,
    identity: {
      baseUrl: environment.IDENTITY_URL ?? environment.PUBLIC_URL,
      // The browser saves the profile through this portal, which alone has the key of the profile service.
      ...(environment.IDENTITY_URL && environment.PROFILE_SERVICE_URL
        ? { profileUrl: environment.PUBLIC_URL }
        : {}),
      callbackUrl: callbackUrlOf(environment),
      subscriptionKey: environment.SUBSCRIPTION_KEY,
      tenantId: environment.TENANT_ID,
      walletConnectId: environment.WALLETCONNECT_ID ?? null,
      beta: environment.PASSPORT_BETA === 'true',
    },
    features: {
      embeddedProjects: environment.PROJECT_SERVICE_URL === undefined,
      google: offers(environment, 'google'),
      apple: offers(environment, 'apple'),
      mailbox: servesMailbox(environment),
    },
    ...(loader && environment.IDENTITY_URL === undefined ? { loader } : {}),
    playgroundOrigin: environment.PLAYGROUND_ORIGIN,
    rateLimitPerKey: environment.RATE_LIMIT_PER_KEY,
    links: {
      apiReference: environment.API_REFERENCE_URL ?? referencePaths.page,
      configurator: environment.CONFIGURATOR_URL ?? null,
      docs: environment.LINK_DOCS ?? '/docs',
      feedback: environment.LINK_FEEDBACK,
      learnMore: environment.LINK_LEARN_MORE,
      templateProject: environment.LINK_TEMPLATE_PROJECT ?? null,
      reactGuide: environment.LINK_REACT_GUIDE ?? null,
      scriptExample: environment.LINK_SCRIPT_EXAMPLE ?? null,
      gameForm: linkOf(environment.LINK_GAME_FORM),
      gameListing: linkOf(environment.LINK_GAME_LISTING),
      gameRepository: linkOf(environment.LINK_GAME_REPOSITORY),
      telegram: environment.LINK_TELEGRAM,
      x: environment.LINK_X,
      discord: environment.LINK_DISCORD,
      news: environment.LINK_NEWS,
    },
  };
}

const linkOf = (value: string): string | null => (value === 'none' ? null : value);

/** A hosted identity service manages its own sign-in methods, on its own page. */
const offers = (environment: Environment, provider: ProviderName): boolean =>
  environment.IDENTITY_URL !== undefined || providerSourceOf(environment, provider) !== 'none';
