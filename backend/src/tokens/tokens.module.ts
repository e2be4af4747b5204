import { Module } from '@nestjs/common';
import { ChainModule } from '../chain/chain.module.js';
import { AddedTokens } from './added.tokens.js';
import { TokenReader } from './token.reader.js';
import { TokensService } from './tokens.service.js';

/** Tokens: the portal's list, and those that callers add. */
@Module({
  imports: [ChainModule],
  providers: [AddedTokens, TokenReader, TokensService],
  exports: [TokensService],
})
export class TokensModule {}
