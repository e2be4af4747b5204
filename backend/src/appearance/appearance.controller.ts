import {
  Body,
  Controller,
  Get,
  Header,
  Headers,
  Inject,
  Param,
  Post,
  Put,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  appearanceHistory,
  panelLook,
  saveAppearance,
  servedAppearance,
  uploadedPicture,
} from '@orange-id/contract/appearance.schema';
import type {
  AppearanceHistory,
  PanelLook,
  SaveAppearance,
  ServedAppearance,
} from '@orange-id/contract/appearance.schema';
import { limits } from '@orange-id/contract/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CurrentSession, CurrentUser } from '../auth/current.user.js';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import { CurrentClient, type SignInClient } from '../auth/sign-in.client.js';
import type { User } from '../auth/user.entity.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { configuredMethods } from '../config/social.providers.js';
import { readFile, ReadsFiles } from '../http/file.body.js';
import { TenantGuard } from '../identity/tenants/tenant.guard.js';
import { pictureForm, pictureTooLarge } from '../profile/pictures/picture.type.js';
import { AppearanceService } from './appearance.service.js';
import { panelLookOf } from './panel.look.js';

const saved = z.object({ version: z.number().int() });

@ApiTags('Projects')
@Controller('api/projects/:code/appearance')
@RequiresSignIn()
export class AppearanceController {
  constructor(private readonly appearances: AppearanceService) {}

  @Get()
  @ApiOperation({ summary: 'List the last ten saved looks of a project’s login panel, newest first' })
  @ApiResponse({ status: 200, standardSchema: appearanceHistory })
  @ApiResponse({ status: 404, description: 'The caller has no such project.' })
  history(@CurrentUser() user: User, @Param('code') code: string): Promise<AppearanceHistory> {
    return this.appearances.history(user.id, code);
  }

  @Put()
  @ApiOperation({ summary: 'Save the look of a project’s login panel; every page shows it within a second' })
  @ApiResponse({ status: 200, standardSchema: saved })
  @ApiResponse({ status: 404, description: 'The caller has no such project.' })
  @ApiResponse({ status: 409, description: 'Another save came first, so base is not the newest version.' })
  @ApiResponse({ status: 429, description: 'Too many saves; see Retry-After.' })
  async save(
    @CurrentUser() user: User,
    @CurrentSession() sessionId: string,
    @Param('code') code: string,
    @Body({ schema: saveAppearance }) body: SaveAppearance,
  ): Promise<z.infer<typeof saved>> {
    return { version: await this.appearances.save({ user, sessionId }, code, body) };
  }

  @Post('picture')
  @ReadsFiles()
  @ApiOperation({ summary: 'Upload a logo or a picture for the login panel, smaller than 1 MB' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: pictureForm })
  @ApiResponse({ status: 201, standardSchema: uploadedPicture })
  @ApiResponse({ status: 404, description: 'The caller has no such project.' })
  @ApiResponse({ status: 429, description: 'Too many uploads; see Retry-After.' })
  async upload(
    @CurrentUser() user: User,
    @CurrentSession() sessionId: string,
    @Param('code') code: string,
    @Req() request: FastifyRequest,
  ): Promise<{ picture: string }> {
    // Before reading any of the body.
    this.appearances.admitUpload(user.id);
    const file = await readFile(request, {
      field: 'file',
      maxBytes: limits.avatarMaxBytes,
      tooLarge: pictureTooLarge,
    });
    return { picture: await this.appearances.upload({ user, sessionId }, code, file) };
  }
}

/** What the login panel on a project's pages asks for. */
@ApiTags('Identity')
@Controller('api/v1/auth/appearance')
@UseGuards(TenantGuard)
export class ServedAppearanceController {
  constructor(
    private readonly appearances: AppearanceService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get('panel')
  @Header('cache-control', 'no-cache')
  @ApiOperation({ summary: 'Get what the panel of a project’s script tag shows, with its style' })
  @ApiResponse({ status: 200, standardSchema: panelLook })
  async panel(@CurrentClient() { tenant }: SignInClient): Promise<PanelLook> {
    const project = tenant.kind === 'project' ? tenant : null;
    const { appearance } = await this.appearances.served(project?.projectId ?? null);
    return panelLookOf(appearance, {
      portal: this.environment.PUBLIC_URL,
      available: configuredMethods(this.environment),
      appName: project?.name,
    });
  }

  /** Revalidated at each use, so that a save shows at the next load. */
  @Get()
  @Header('cache-control', 'no-cache')
  @ApiOperation({ summary: 'Get the look of the login panel of the project that the subscription key names' })
  @ApiResponse({ status: 200, standardSchema: servedAppearance })
  @ApiResponse({ status: 304, description: 'Unchanged since the version of If-None-Match.' })
  async served(
    @CurrentClient() { tenant }: SignInClient,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ServedAppearance | undefined> {
    const project = tenant.kind === 'project' ? tenant : null;
    const served = await this.appearances.served(project?.projectId ?? null);
    // The panel's title has the project's name, which changes without a version.
    const name = createHash('sha256')
      .update(project?.name ?? '')
      .digest('hex')
      .slice(0, 8);
    const tag = `"${project?.code ?? 'portal'}-${served.version}-${name}"`;
    void reply.header('etag', tag);
    if (known !== tag) return { ...served, ...(project && { appName: project.name }) };
    void reply.status(304);
    return undefined;
  }
}
