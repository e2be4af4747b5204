import { KeptMail, MailOutbox } from '../mail/mail.outbox.js';
import type { TestApp } from './test.app.js';
import { until } from './until.js';

/**
 * Waits for the newest email to this address whose subject contains these words, from a portal that keeps its emails.
 */
export function mailTo(portal: Pick<TestApp, 'app'>, address: string, subject = ''): Promise<KeptMail> {
  return until(`there is a mail to ${address}`, async () =>
    (await portal.app.get(MailOutbox).list(500)).find(
      (mail) => mail.to === address && mail.subject.includes(subject),
    ),
  );
}
