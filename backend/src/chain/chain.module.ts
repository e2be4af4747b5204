import { Module } from '@nestjs/common';
import { ChainClient } from './chain.client.js';
import { ChainService } from './chain.service.js';
import { SmartAccounts } from './smart.accounts.js';
import { TransactionsService } from './transactions.service.js';

@Module({
  providers: [ChainClient, ChainService, SmartAccounts, TransactionsService],
  exports: [ChainService, SmartAccounts, TransactionsService],
})
export class ChainModule {}
