import { DynamicModule, Module } from '@nestjs/common';
import { Environment, servesMailbox } from '../config/environment.js';
import { MailboxController } from './mailbox.controller.js';
import { MailOutbox } from './mail.outbox.js';
import { MailSender } from './mail.sender.js';

/** Mail that is to be sent, and who sends it. The mailbox is there only where `servesMailbox` says so. */
@Module({})
export class MailModule {
  static with(environment: Environment): DynamicModule {
    return {
      module: MailModule,
      global: true,
      controllers: servesMailbox(environment) ? [MailboxController] : [],
      providers: [MailOutbox, MailSender],
      exports: [MailOutbox],
    };
  }
}
