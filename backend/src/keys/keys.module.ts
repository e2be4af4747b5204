import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyFactory } from './api-key.factory.js';
import { KeyChanges } from './key.changes.js';
import { KeyListChanges } from './key.list.changes.js';
import { KeyReader } from './key.reader.js';
import { KeyRevocations } from './key.revocations.js';
import { KeyRotation } from './key.rotation.js';
import { KeyTerms } from './key.terms.js';
import { KeysController } from './keys.controller.js';
import { KeysService } from './keys.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey])],
  controllers: [KeysController],
  providers: [
    ApiKeyFactory,
    KeyChanges,
    KeyListChanges,
    KeyReader,
    KeyRevocations,
    KeyRotation,
    KeyTerms,
    KeysService,
  ],
  exports: [ApiKeyFactory, KeyChanges, KeyListChanges, KeyReader, KeyRevocations, KeyRotation],
})
export class KeysModule {}
