import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { AuthGuardAuthenticateOptions } from '@nestjs/passport';
import { AccessTokenVerifier } from './access-token.verifier.js';

/** Lets a request through with a valid access token only; `@CurrentUser()` then gives its user. Answers 401 otherwise. */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor(private readonly verifier: AccessTokenVerifier) {
    super({ session: false, property: 'authenticated' });
  }

  override getAuthenticateOptions(): AuthGuardAuthenticateOptions {
    return { session: false, property: 'authenticated', verifier: this.verifier };
  }
}
