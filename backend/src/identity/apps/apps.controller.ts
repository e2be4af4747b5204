import { Body, Controller, Delete, Get, HttpCode, Param, Patch } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  type ConnectedApp,
  connectedAppList,
  connectedAppUpdate,
  type ConnectedAppUpdate,
} from '@orange-id/contract/tenant.schema';
import { CurrentUser } from '../../auth/current.user.js';
import { RequiresSignIn } from '../../auth/requires.sign-in.js';
import type { User } from '../../auth/user.entity.js';
import { AppsService } from './apps.service.js';

/** The apps that the signed-in person is connected to, and what each of them sees. */
@ApiTags('Identity')
@Controller('api/v1/auth/apps')
@RequiresSignIn()
export class AppsController {
  constructor(private readonly apps: AppsService) {}

  @Get()
  @ApiOperation({ summary: 'List the apps you’re connected to, last used first' })
  @ApiResponse({ status: 200, standardSchema: connectedAppList })
  list(@CurrentUser() user: User): Promise<ConnectedApp[]> {
    return this.apps.list(user.id);
  }

  @Patch(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Change what a connected app sees; in its tokens from the next refresh' })
  @ApiResponse({ status: 204, description: 'Changed.' })
  @ApiResponse({ status: 404, description: 'The caller is not connected to such an app.' })
  change(
    @CurrentUser() user: User,
    @Param('id') id: string,
    @Body({ schema: connectedAppUpdate }) { claims }: ConnectedAppUpdate,
  ): Promise<void> {
    return this.apps.change(user.id, id, claims);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Disconnect an app and end its sessions immediately' })
  @ApiResponse({ status: 204, description: 'Disconnected.' })
  @ApiResponse({ status: 404, description: 'The caller is not connected to such an app.' })
  disconnect(@CurrentUser() user: User, @Param('id') id: string): Promise<void> {
    return this.apps.disconnect(user.id, id);
  }
}
