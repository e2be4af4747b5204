import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { versionInfo, widgetInfo } from '@orange-id/contract/identity.schema';
import type { VersionInfo, WidgetInfo } from '@orange-id/contract/identity.schema';
import type { JWK } from 'jose';
import { z } from 'zod';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { SigningKeysService } from './tokens/signing-keys.service.js';

/** The version of the login widget that this portal serves: that of the packages it is built from. */
export const widgetVersion = '0.1.0';

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
  @ApiOperation({ summary: 'Get the URLs of the login widget' })
  @ApiResponse({ status: 200, standardSchema: versionInfo })
  version(): VersionInfo {
    const cdnUrl = `${this.environment.PUBLIC_URL}/widget/passport.js`;
    const cssUrl = `${this.environment.PUBLIC_URL}/widget/passport.css`;
    return {
      cdnUrl,
      cssUrl,
      currentVersion: widgetVersion,
      betaCdnUrl: cdnUrl,
      betaCssUrl: cssUrl,
      betaVersion: widgetVersion,
    };
  }

  @Get('api/v1/auth/widget')
  @ApiOperation({ summary: 'Get the text and link in the footer of the login widget' })
  @ApiResponse({ status: 200, standardSchema: widgetInfo })
  widget(): WidgetInfo {
    return { text: 'Powered by Orange ID', url: this.environment.LINK_LEARN_MORE };
  }

  @Get('.well-known/jwks.json')
  @Header('cache-control', 'public, max-age=300')
  @ApiOperation({ summary: 'Get the public keys that verify access tokens (RFC 7517)' })
  @ApiResponse({ status: 200, standardSchema: keySet })
  keySet(): { keys: JWK[] } {
    return this.keys.keySet;
  }
}
