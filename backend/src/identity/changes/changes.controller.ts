import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { accountChangeList } from '@orange-id/contract/identity.schema';
import type { AccountChange } from '@orange-id/contract/identity.schema';
import { RequiresSignIn } from '../../auth/requires.sign-in.js';
import { CurrentUser } from '../../auth/current.user.js';
import type { User } from '../../auth/user.entity.js';
import { AccountChanges } from './account.changes.js';

@ApiTags('Identity')
@Controller('api/v1/auth/changes')
@RequiresSignIn()
export class ChangesController {
  constructor(private readonly changes: AccountChanges) {}

  @Get()
  @ApiOperation({
    summary:
      'List recent changes to your sign-in methods, password, sessions and project names (90 days, at most 100), newest first',
  })
  @ApiResponse({ status: 200, standardSchema: accountChangeList })
  list(@CurrentUser() user: User): Promise<AccountChange[]> {
    return this.changes.list(user.id);
  }
}
