import { Controller, Get, Header, Inject, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { versionInfo, widgetInfo } from '@orange-id/contract/identity.schema';
import type { VersionInfo, WidgetInfo } from '@orange-id/contract/identity.schema';
import type { JWK } from 'jose';
import { z } from 'zod';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { configuredMethods } from '../config/social.providers.js';
import { CurrentClient, type SignInClient } from '../auth/sign-in.client.js';
import { TenantGuard } from './tenants/tenant.guard.js';
import { shownName } from './tenants/tenant.rule.js';
import { signingAlgorithm, SigningKeysService } from './tokens/signing-keys.service.js';

/** The version of the login widget that this portal serves: that of the packages it is built from. */
export const widgetVersion = '0.1.0';

const discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  userinfo_endpoint: z.string(),
  jwks_uri: z.string(),
  response_types_supported: z.array(z.string()),
  subject_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
  claims_supported: z.array(z.string()),
});
const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

@ApiTags('Identity')
@Controller()
export class SettingsController {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly keys: SigningKeysService,
  ) {}

  /** There is only one bundle, so the beta URLs name it too. */
  @Get('api/v1/settings/version')
  @UseGuards(TenantGuard)
  @ApiOperation({ summary: 'Get the URLs of the login widget' })
  @ApiResponse({ status: 200, standardSchema: versionInfo })
  version(@CurrentClient() { tenant }: SignInClient): VersionInfo {
    const cdnUrl = `${this.environment.PUBLIC_URL}/widget/passport.js`;
    const cssUrl = `${this.environment.PUBLIC_URL}/widget/passport.css`;
    return {
      cdnUrl,
      cssUrl,
      currentVersion: widgetVersion,
      betaCdnUrl: cdnUrl,
      betaCssUrl: cssUrl,
      betaVersion: widgetVersion,
      ...(tenant.kind === 'project' && { methods: configuredMethods(this.environment) }),
    };
  }

  @Get('api/v1/auth/widget')
  @UseGuards(TenantGuard)
  @ApiOperation({ summary: 'Get the text and link in the footer of the login widget' })
  @ApiResponse({ status: 200, standardSchema: widgetInfo })
  widget(@CurrentClient() { tenant }: SignInClient): WidgetInfo {
    if (tenant.kind === 'project') {
      return {
        text: `Choose what ${shownName(tenant)} sees`,
        url: `${this.environment.PUBLIC_URL}/api/v1/auth/authorize?tenantId=${tenant.code}&prompt=consent`,
      };
    }
    return { text: 'Powered by Orange ID', url: this.environment.LINK_LEARN_MORE };
  }

  /** The subset of OpenID Connect Discovery 1.0 that verifying an access token takes. */
  @Get('.well-known/openid-configuration')
  @Header('cache-control', 'public, max-age=300')
  @ApiOperation({ summary: 'Get where the identity service’s keys and endpoints are' })
  @ApiResponse({ status: 200, standardSchema: discovery })
  discovery(): z.infer<typeof discovery> {
    const { PUBLIC_URL: issuer } = this.environment;
    return {
      issuer,
      authorization_endpoint: `${issuer}/api/v1/auth/authorize`,
      userinfo_endpoint: `${issuer}/api/v1/auth/user`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      response_types_supported: ['token'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: [signingAlgorithm],
      claims_supported: ['sub', 'name', 'picture', 'email', 'email_verified', 'wallet_address'],
    };
  }

  @Get('.well-known/jwks.json')
  @Header('cache-control', 'public, max-age=300')
  @ApiOperation({ summary: 'Get the public keys that verify access tokens (RFC 7517)' })
  @ApiResponse({ status: 200, standardSchema: keySet })
  keySet(): { keys: JWK[] } {
    return this.keys.keySet;
  }
}
