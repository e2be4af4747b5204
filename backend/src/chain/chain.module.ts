import { Module } from '@nestjs/common';
import { ChainClient } from './chain.client.js';
import { ChainService } from './chain.service.js';
import { PriceFeeds } from './price.feeds.js';
import { SmartAccounts } from './smart.accounts.js';
import { TransactionsService } from './transactions.service.js';

@Module({
  providers: [ChainClient, ChainService, PriceFeeds, SmartAccounts, TransactionsService],
  exports: [ChainClient, ChainService, PriceFeeds, SmartAccounts, TransactionsService],
})
export class ChainModule {}
