import { Module } from '@nestjs/common';
import { ApiKeyFactory } from './api-key.factory.js';
import { KeyChanges } from './key.changes.js';

@Module({
  providers: [ApiKeyFactory, KeyChanges],
  exports: [ApiKeyFactory, KeyChanges],
})
export class KeysModule {}
