import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { inventory, inventoryRequest } from '@orange-id/contract/identity.schema';
import type { Inventory, InventoryRequest } from '@orange-id/contract/identity.schema';
import { AnyTenant } from '../auth/any.portal.js';
import { RequiresSignIn } from '../auth/requires.sign-in.js';

/** The identity client requests a user's currencies when it starts. The portal has none, so the list is empty. */
@ApiTags('Identity')
@Controller('api/v1/economy')
@RequiresSignIn()
export class EconomyController {
  @Post('currency')
  @AnyTenant()
  @HttpCode(200)
  @ApiOperation({ summary: 'List your balances in a game’s currencies; always empty' })
  @ApiResponse({ status: 200, standardSchema: inventory })
  currency(@Body({ schema: inventoryRequest }) _request: InventoryRequest): Inventory {
    return { Items: [] };
  }
}
