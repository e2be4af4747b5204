import { Module } from '@nestjs/common';
import { UsageModule } from '../usage/usage.module.js';
import { InstanceSignals } from './instance.signals.js';
import { RealtimeGateway } from './realtime.gateway.js';
import { UsagePusher } from './usage.pusher.js';

@Module({ imports: [UsageModule], providers: [InstanceSignals, RealtimeGateway, UsagePusher] })
export class RealtimeModule {}
