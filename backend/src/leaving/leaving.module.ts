import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { AccountRemoval } from './account.removal.js';
import { ArchiveController } from './archive.controller.js';
import { ArchiveRepository } from './archive.repository.js';
import { ArchiveService } from './archive.service.js';
import { DeletionController, KeepingController } from './leaving.controller.js';
import { LeavingRepository } from './leaving.repository.js';
import { LeavingService } from './leaving.service.js';
import { RemovalRepository } from './removal.repository.js';

/** An archive of an account's data, and deleting the account. A hosted identity service manages its accounts itself. */
@Module({
  imports: [KeysModule],
  controllers: [ArchiveController, DeletionController, KeepingController],
  providers: [
    AccountRemoval,
    ArchiveRepository,
    ArchiveService,
    LeavingRepository,
    LeavingService,
    RemovalRepository,
  ],
})
export class LeavingModule {}
