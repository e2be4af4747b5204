import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { connectedWallets, connectedWalletsQuery } from '@orange-id/contract/wallets.schema';
import type { ConnectedWallets, ConnectedWalletsQuery } from '@orange-id/contract/wallets.schema';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import { CurrentUser } from '../auth/current.user.js';
import type { User } from '../auth/user.entity.js';
import { ConnectedWalletsService } from './connected-wallets.service.js';

/** Not part of the project service's API: the portal itself keeps these wallets, also for a hosted service. */
@ApiTags('Projects')
@Controller('api/projects')
@RequiresSignIn()
export class ConnectedWalletsController {
  constructor(private readonly wallets: ConnectedWalletsService) {}

  @Get(':code/wallets')
  @ApiOperation({
    summary: 'List the wallets connected with the key of one of your projects, newest connection first',
  })
  @ApiResponse({ status: 200, standardSchema: connectedWallets })
  @ApiResponse({ status: 404, description: 'The caller has no such project.' })
  list(
    @CurrentUser() user: User,
    @Param('code') code: string,
    @Query({ schema: connectedWalletsQuery }) query: ConnectedWalletsQuery,
  ): Promise<ConnectedWallets> {
    return this.wallets.list(user.id, code, query);
  }
}
