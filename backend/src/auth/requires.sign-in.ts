import { applyDecorators, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { BearerGuard } from './bearer.guard.js';

/** A controller or route for signed-in users only, whose responses no cache stores. */
export const RequiresSignIn = () =>
  applyDecorators(UseGuards(BearerGuard), UseInterceptors(NoStoreInterceptor), ApiBearerAuth());
