import { Module } from '@nestjs/common';
import { ChainClient } from './chain.client.js';
import { ChainService } from './chain.service.js';
import { SmartAccounts } from './smart.accounts.js';

@Module({ providers: [ChainClient, ChainService, SmartAccounts], exports: [ChainService, SmartAccounts] })
export class ChainModule {}
