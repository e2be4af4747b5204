import { Body, Controller, Headers, HttpCode, Ip, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  deletionRequest,
  deletionSession,
  type DeletionSession,
  deletionState,
  type DeletionState,
} from '@orange-id/contract/leaving.schema';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import { CurrentSession, CurrentUser } from '../auth/current.user.js';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import type { User } from '../auth/user.entity.js';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { FreshProofGuard } from '../identity/browser/fresh.proof.guard.js';
import { SignInLimits } from '../identity/limits/sign-in.limits.js';
import { LeavingService } from './leaving.service.js';

@ApiTags('Account')
@Controller('api/account/deletion')
@RequiresSignIn()
export class DeletionController {
  constructor(private readonly leaving: LeavingService) {}

  @Post()
  @HttpCode(200)
  @UseGuards(FreshProofGuard)
  @ApiOperation({
    summary: `Delete your account: ends its sessions, keys and projects; its data goes after ${limits.deletedAccountKeptDays} days`,
  })
  @ApiResponse({ status: 200, standardSchema: deletionState })
  @ApiResponse({
    status: 403,
    description: `This browser hasn’t confirmed the account in the last ${waitInWords(limits.freshProofSeconds)}.`,
  })
  async delete(
    @CurrentUser() user: User,
    @CurrentSession() sessionId: string,
    @Headers('user-agent') userAgent: string | undefined,
    @Body({ schema: deletionRequest }) _body: unknown,
  ): Promise<DeletionState> {
    return stateOf(await this.leaving.delete({ user, sessionId }, userAgent));
  }
}

/** What the session of a deleted account can do: keep the account, or end. Takes its refresh token: an access token alone may be stolen. */
@ApiTags('Account')
@Controller('api/account/deletion')
@UseInterceptors(NoStoreInterceptor)
export class KeepingController {
  constructor(
    private readonly leaving: LeavingService,
    private readonly signInLimits: SignInLimits,
  ) {}

  @Post('state')
  @HttpCode(200)
  @ApiOperation({ summary: 'Get when the data of the deleted account goes that you have signed in to' })
  @ApiResponse({ status: 200, standardSchema: deletionState })
  @ApiResponse({ status: 409, description: 'The account isn’t deleted.' })
  async state(
    @Body({ schema: deletionSession }) { refreshToken }: DeletionSession,
    @Ip() address: string,
  ): Promise<DeletionState> {
    this.signInLimits.lookup(address);
    return stateOf(await this.leaving.deletesAt(refreshToken));
  }

  @Post('keep')
  @HttpCode(204)
  @ApiOperation({ summary: 'Keep the deleted account that you have signed in to' })
  @ApiResponse({ status: 204, description: 'Kept.' })
  keep(
    @Body({ schema: deletionSession }) { refreshToken }: DeletionSession,
    @Headers('user-agent') userAgent: string | undefined,
    @Ip() address: string,
  ): Promise<void> {
    this.signInLimits.lookup(address);
    return this.leaving.keep(refreshToken, userAgent);
  }

  @Post('leave')
  @HttpCode(204)
  @ApiOperation({ summary: 'Leave the account deleted that you have signed in to, which ends the session' })
  @ApiResponse({ status: 204, description: 'The session is over.' })
  leave(
    @Body({ schema: deletionSession }) { refreshToken }: DeletionSession,
    @Ip() address: string,
  ): Promise<void> {
    this.signInLimits.lookup(address);
    return this.leaving.leave(refreshToken);
  }
}

const stateOf = (dueAt: Date): DeletionState => ({ deletesAt: dueAt.toISOString() });
