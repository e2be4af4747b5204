import { DynamicModule, Module } from '@nestjs/common';
import { Environment, servesMailbox } from '../config/environment.js';
import { MailboxController } from './mailbox.controller.js';
import { MailOutbox } from './mail.outbox.js';
import { MailSender } from './mail.sender.js';

/** Outgoing email and its sender. The mailbox exists only if `servesMailbox` is true. */
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

  /** Without the sender: the instances of the portal send what is put in the outbox. */
  static outboxOnly(): DynamicModule {
    return { module: MailModule, global: true, providers: [MailOutbox], exports: [MailOutbox] };
  }
}
