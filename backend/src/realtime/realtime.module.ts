import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { InstanceSignals } from './instance.signals.js';
import { RealtimeGateway } from './realtime.gateway.js';
import { SocketLobby } from './socket.lobby.js';
import { UsagePusher } from './usage.pusher.js';

@Module({
  imports: [KeysModule, UsageModule],
  providers: [InstanceSignals, RealtimeGateway, SocketLobby, UsagePusher],
})
export class RealtimeModule {}
