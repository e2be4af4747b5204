import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { AccountRemoval } from './account.removal.js';
import { DeletionController, KeepingController } from './leaving.controller.js';
import { LeavingRepository } from './leaving.repository.js';
import { LeavingService } from './leaving.service.js';
import { RemovalRepository } from './removal.repository.js';

/** Deleting an account. A hosted identity service manages its accounts itself. */
@Module({
  imports: [KeysModule],
  controllers: [DeletionController, KeepingController],
  providers: [AccountRemoval, LeavingRepository, LeavingService, RemovalRepository],
})
export class LeavingModule {}
