import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { inventory, inventoryRequest } from '@orange-id/contract/identity.schema';
import type { Inventory, InventoryRequest } from '@orange-id/contract/identity.schema';
import { AnyPortal } from '../auth/any.portal.js';
import { BearerGuard } from '../auth/bearer.guard.js';

/** The identity client requests a user's currencies when it starts. The portal has none, so the list is empty. */
@ApiTags('Identity')
@ApiBearerAuth()
@Controller('api/v1/economy')
@UseGuards(BearerGuard)
export class EconomyController {
  @Post('currency')
  @AnyPortal()
  @HttpCode(200)
  @ApiOperation({ summary: 'List your balances in a game’s currencies; always empty' })
  @ApiResponse({ status: 200, standardSchema: inventory })
  currency(@Body({ schema: inventoryRequest }) _request: InventoryRequest): Inventory {
    return { Items: [] };
  }
}
