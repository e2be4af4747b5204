import { Body, Controller, Headers, HttpCode, Inject, Ip, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import { profileResult, profileUpdate } from '@orange-id/contract/profile.schema';
import type { PictureAnswer, ProfileResult, ProfileUpdate } from '@orange-id/contract/profile.schema';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { readFile, ReadsFiles } from '../http/file.body.js';
import { AttemptLimiter } from '../http/attempt.limiter.js';
import { tokenForeign } from '../auth/access-token.verifier.js';
import { AnyPortal } from '../auth/any.portal.js';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import { bearerToken } from '../auth/bearer.strategy.js';
import { CurrentParty, CurrentSession, CurrentUser } from '../auth/current.user.js';
import type { User } from '../auth/user.entity.js';
import { acceptPicture, pictureForm, pictureTooLarge } from './pictures/picture.type.js';
import { Profiles } from './profiles.port.js';

@ApiTags('Profile')
@Controller('api/v1/user')
@RequiresSignIn()
export class ProfileController {
  private readonly pictureChanges = new AttemptLimiter(
    limits.pictureChangesPerHour,
    3_600_000,
    (seconds) => `Too many photo uploads or deletions. Try again in ${waitInWords(seconds)}`,
  );

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'PUBLIC_URL'>,
    private readonly profiles: Profiles,
  ) {}

  /**
   * Also accepts tokens of another portal, whose pages show and edit the profile, except for replacing a confirmed
   * address.
   */
  @Post('profile')
  @AnyPortal()
  @HttpCode(200)
  @ApiOperation({ summary: 'Change the given profile fields' })
  @ApiResponse({ status: 200, standardSchema: z.object({ data: profileResult }) })
  async update(
    @Ip() address: string,
    @CurrentUser() user: User,
    @CurrentSession() sessionId: string,
    @CurrentParty() party: string,
    @Headers('authorization') authorization: string | undefined,
    @Body({ schema: profileUpdate }) update: ProfileUpdate,
  ): Promise<{ data: ProfileResult }> {
    const { PUBLIC_URL } = this.environment;
    const provenStays = party === PUBLIC_URL ? null : tokenForeign(party, PUBLIC_URL);
    if (provenStays !== null && replacesProven(user, update)) throw provenStays;
    const caller = { user, sessionId, address, token: bearerToken(authorization), provenStays };
    return { data: await this.profiles.update(caller, update) };
  }

  @Post('profile/upload')
  @AnyPortal()
  @HttpCode(200)
  @ReadsFiles()
  @ApiOperation({ summary: 'Set the profile photo, smaller than 1 MB' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: pictureForm })
  @ApiResponse({ status: 200, standardSchema: z.object({ data: z.object({ picture: z.string() }) }) })
  async upload(
    @Ip() address: string,
    @CurrentUser() user: User,
    @CurrentSession() sessionId: string,
    @Req() request: FastifyRequest,
  ): Promise<{ data: PictureAnswer }> {
    // Before reading any of the body.
    this.pictureChanges.take(user.id);
    const caller = {
      user,
      sessionId,
      address,
      token: bearerToken(request.headers.authorization),
      provenStays: null,
    };
    const file = await readFile(request, {
      field: 'file',
      maxBytes: limits.avatarMaxBytes,
      tooLarge: pictureTooLarge,
    });
    return { data: await this.profiles.changePicture(caller, { ...file, format: acceptPicture(file) }) };
  }
}

/** Whether an update replaces a confirmed address, which receives notifications about changes to the account. */
const replacesProven = (
  { email: proven, pendingEmail, emailVerified }: User,
  { email }: ProfileUpdate,
): boolean =>
  email !== undefined &&
  emailVerified &&
  ![proven, pendingEmail].some((known) => known?.toLowerCase() === email.toLowerCase());
